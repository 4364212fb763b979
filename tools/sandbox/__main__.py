"""`python -m tools.sandbox`: serve the CRM sandbox until SIGTERM or SIGINT."""

import argparse
import asyncio
import signal
from pathlib import Path

from tools.sandbox.app import listen
from tools.sandbox.mail import MailSecurity, listen_for_mail
from tools.sandbox.state import Sandbox


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.sandbox",
        description="A stand-in for Zoho CRM v8 with a ledger of every call. Development data only.",
        epilog="Its address, printed on start, serves the accounts, the API and a page that switches faults on.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8900, help="port; 0 takes any free one (default: %(default)s)")
    parser.add_argument("--mail-port", type=int, default=0, help="port for incoming mail (default: none)")
    parser.add_argument("--mail-certificate", default="", metavar="FILE", help="for STARTTLS, in PEM")
    parser.add_argument("--mail-key", default="", metavar="FILE", help="the certificate's key")
    parser.add_argument("--mail-tls", action="store_true", help="TLS from the first byte instead of STARTTLS")
    parser.add_argument(
        "--mail-login", default="", metavar="USER:PASSWORD", help="the login that mail clients must use"
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="directory of the ledger; created if missing"
    )
    parser.add_argument(
        "--without-field",
        action="append",
        default=[],
        metavar="NAME",
        help="start without this Leads field, like an organisation that has not created it yet (repeatable)",
    )
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> None:
    """Serve until SIGTERM or SIGINT."""
    sandbox = Sandbox.open(options.data, options.without_field)
    server, port = listen(sandbox, options.host, options.port)
    security = MailSecurity.load(
        options.mail_certificate, options.mail_key, options.mail_login, implicit=options.mail_tls
    )
    mail = await listen_for_mail(sandbox, options.host, options.mail_port, security) if options.mail_port else None
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, sandbox.stopping.set)
    print(f"CRM sandbox on http://{options.host}:{port}", flush=True)
    await sandbox.stopping.wait()
    if mail is not None:
        mail.close()
    server.stop()
    await server.close_all_connections()
    sandbox.ledger.close()


if __name__ == "__main__":
    asyncio.run(serve(arguments()))
