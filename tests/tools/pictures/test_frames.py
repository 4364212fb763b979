"""What a picture is about stays inside the frame and the square of small screens. Needs Blender."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy", reason="Blender is not in this environment: make test-pictures")

from bpy_extras.object_utils import world_to_camera_view  # noqa: E402

from tools.pictures import studio  # noqa: E402
from tools.pictures.catalogue import every_picture  # noqa: E402

MARGIN = 0.02  # of the width and of the height


def test_a_square_crop_keeps_the_tips_of_zygomatic_implants():
    picture = every_picture()["zygomatic-implants"]
    picture.build()
    studio.settle(picture.width, picture.height, 1)
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    threads = [thing for thing in scene.objects if thing.name.startswith("Zygomatic thread")]
    assert len(threads) == 2
    seen = [
        world_to_camera_view(scene, scene.camera, thread.matrix_world @ vertex.co)
        for thread in threads
        for vertex in thread.data.vertices
    ]
    cropped = (1 - picture.height / picture.width) / 2
    assert min(point.x for point in seen) > cropped + MARGIN
    assert max(point.x for point in seen) < 1 - cropped - MARGIN
    assert max(point.y for point in seen) < 1 - MARGIN
