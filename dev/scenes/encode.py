"""Frames into films: WebM (VP9) and MP4 (H.264) with the FFmpeg that Blender carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from pathlib import Path

FORMS = {"webm": ("WEBM", "WEBM_VP9", "MEDIUM"), "mp4": ("MPEG4", "H264", "HIGH")}


def encode(frames: Path, count: int, rate: int, target: Path) -> int:
    """Write `target` (its ending chooses the format) from frames/0001.png onwards; returns its bytes."""
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
    container, codec, quality = FORMS[target.suffix[1:]]
    render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.constant_rate_factor = container, codec, quality
    render.ffmpeg.audio_codec = "NONE"
    render.ffmpeg.gopsize = rate * 2
    render.use_file_extension = False
    render.filepath = str(target)
    bpy.ops.render.render(animation=True)
    return target.stat().st_size
