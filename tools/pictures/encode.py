"""Encodes frames as WebM (VP9) and MP4 (H.264, index first), with the FFmpeg that Blender contains."""

import struct
from collections.abc import Iterator
from pathlib import Path

import bpy

FORMS = {"webm": ("WEBM", "WEBM"), "mp4": ("MPEG4", "H264")}
# Of the most bytes that a file may have, the share to aim at: the encoder meets its rate only about.
AIM = 0.88


def encode(frames: Path, count: int, rate: int, target: Path, most: int | None = None) -> int:
    """Encode frames as a film.

    Args:
        frames: The folder with 0001.png onwards.
        count: How many frames there are.
        rate: Frames a second.
        target: The file; its suffix decides the format.
        most: The bytes to stay below; None: at a high, constant quality.

    Returns:
        Its size in bytes.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    strip = scene.sequence_editor_create().strips.new_image(
        "Film", str(frames / "0001.png"), channel=1, frame_start=1
    )
    for number in range(2, count + 1):
        strip.elements.append(f"{number:04d}.png")
    strip.frame_final_duration = count
    element = strip.elements[0]
    scene.frame_start, scene.frame_end = 1, count
    render = scene.render
    render.resolution_x, render.resolution_y = element.orig_width, element.orig_height
    render.resolution_percentage = 100
    render.fps = rate
    scene.view_settings.view_transform = "Standard"
    render.image_settings.media_type = "VIDEO"
    container, codec = FORMS[target.suffix[1:]]
    render.ffmpeg.format, render.ffmpeg.codec = container, codec
    if most is None:
        render.ffmpeg.constant_rate_factor = "HIGH"
    else:
        render.ffmpeg.constant_rate_factor = "NONE"
        render.ffmpeg.video_bitrate = int(AIM * most * 8 / (count / rate) / 1000)
    render.ffmpeg.audio_codec = "NONE"
    render.ffmpeg.gopsize = rate * 2
    render.use_file_extension = False
    render.filepath = str(target)
    bpy.ops.render.render(animation=True)
    if container == "MPEG4":
        target.write_bytes(faststart(target.read_bytes()))
    return target.stat().st_size


def boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The MP4 boxes (ISO/IEC 14496-12) between two offsets: (type, start, end)."""
    while start < end:
        size, kind = struct.unpack_from(">I4s", data, start)
        yield kind, start, start + size
        start += size


def faststart(data: bytes) -> bytes:
    """Move an MP4's index before its media data, so that it plays while it loads.

    Raises StopIteration when there is no index. Boxes over 4 GB are not supported.
    """
    top = list(boxes(data, 0, len(data)))
    _, start, end = next(box for box in top if box[0] == b"moov")
    index = bytearray(data[start:end])
    if any(kind == b"mdat" and at < start for kind, at, _ in top):
        moved(index, 8, len(index), len(index))
    head = b"".join(data[at:to] for kind, at, to in top if kind == b"ftyp")
    rest = b"".join(data[at:to] for kind, at, to in top if kind not in {b"ftyp", b"moov"})
    return head + bytes(index) + rest


def moved(index: bytearray, start: int, end: int, by: int) -> None:
    """Add `by` to every chunk offset (box `stco`) of an index, in place."""
    for kind, at, to in boxes(bytes(index), start, end):
        if kind in {b"trak", b"mdia", b"minf", b"stbl"}:
            moved(index, at + 8, to, by)
        elif kind == b"stco":
            (count,) = struct.unpack_from(">I", index, at + 12)
            places = struct.unpack_from(f">{count}I", index, at + 16)
            struct.pack_into(f">{count}I", index, at + 16, *(place + by for place in places))
