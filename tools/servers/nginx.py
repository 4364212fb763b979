"""The proxy of deploy/proxy in a real nginx, where one is installed (Debian, Ubuntu: apt install nginx-light)."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

from tools.servers.server_process import ROOT, EmbeddedServer
from tools.servers.state_files import free_port

PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
HOST = "localhost"  # the site's name
PHONE, WHATSAPP = "+90 212 000 00 00", "902120000000"
FLOWER_HOST = "flower.localhost"
_CONFIGURATION = ROOT / "deploy" / "proxy"


class Nginx(EmbeddedServer):
    """One proxy with a folder of its own, before the site at a port of this machine, and perhaps a Flower."""

    def __init__(self, folder: Path, site_port: int, flower_port: int = 0) -> None:
        super().__init__("nginx", folder, folder / "log")
        self.http, self.https = free_port(), free_port()
        self.certificate = self.folder / "certificate" / "fullchain.pem"  # vouches for itself
        self._variables = {
            "SITE_HOST": HOST,
            "SITE_UPSTREAM": f"127.0.0.1:{site_port}",
            "SITE_LOG": "/dev/stdout",
            "HTTP_PORT": str(self.http),
            "HTTPS_PORT": str(self.https),
            "ACME_ROOT": str(self.folder),
            "CERTIFICATE_DIR": str(self.certificate.parent),
            "CLINIC_PHONE": PHONE,
            "WHATSAPP_NUMBER": WHATSAPP,
            "FLOWER_HOST": FLOWER_HOST,
            "FLOWER_UPSTREAM": f"127.0.0.1:{flower_port}",
        }
        self._templates = ["site.conf.template", *(["flower.conf.template"] if flower_port else [])]

    def start(self) -> None:
        """Make the certificate and the configuration, start; `ServerError` with the end of the log if it fails."""
        self.folder.mkdir(parents=True, exist_ok=True)
        script = ["sh", str(_CONFIGURATION / "10-certificate.sh")]
        subprocess.run(script, env=os.environ | self._variables, check=True, capture_output=True, timeout=30)
        self._write_configuration()
        command = [PROGRAM or "nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        self._start_until(self._accepts, [*command, "-g", "daemon off;"], 20)

    def connect(
        self, source: str = "127.0.0.1", *, receive_bytes: int = 0, protocol: str = "http/1.1", name: str = HOST
    ) -> ssl.SSLSocket:
        """A TLS connection from an address of this machine; with `receive_bytes` it takes little at a time."""
        context = self.tls()
        context.check_hostname = name == HOST  # the certificate names the site alone
        context.set_alpn_protocols([protocol])
        raw = socket.socket()
        raw.settimeout(20)
        if receive_bytes:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        raw.bind((source, 0))
        raw.connect(("127.0.0.1", self.https))
        return context.wrap_socket(raw, server_hostname=name)

    def tls(self) -> ssl.SSLContext:
        """A context that trusts the proxy's certificate."""
        return ssl.create_default_context(cafile=self.certificate)

    def _write_configuration(self) -> None:
        """Fill in what the image's start fills in, and replace the lines that name its user and folders."""
        site = "".join((_CONFIGURATION / name).read_text() for name in self._templates)
        (self.folder / "site.conf").write_text(
            re.sub(r"\$\{([A-Z_]+)\}", lambda found: self._variables[found[1]], site)
        )
        main = (_CONFIGURATION / "nginx.conf").read_text()
        for old, new in (
            ("user nginx;", "user root;" if os.geteuid() == 0 else ""),
            ("/run/nginx.pid", f"{self.folder}/nginx.pid"),
            ("/etc/nginx/conf.d/*.conf", f"{self.folder}/site.conf"),
        ):
            if old not in main:
                raise ValueError(f"nginx.conf has no {old!r} any more")
            main = main.replace(old, new)
        (self.folder / "nginx.conf").write_text(main)

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.https), 2).close()
        except OSError:
            return False
        return True
