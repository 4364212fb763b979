"""One studio for every still of teeth and implants: light, backdrop, camera, renderer.

Lengths are centimetres: a crown is about 1 unit high. The subjects are modelled elsewhere.
"""

import math
from pathlib import Path

import bpy
from mathutils import Vector

from tools.pictures.materials import backdrop_paper

Point = tuple[float, float, float]


def clear() -> None:
    """Start an empty scene: nothing of the previous picture may remain."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.world = bpy.data.worlds.new("World")


def light(subject: Point = (0, 0, 0.5), size: float = 2.0, *, fill: float = 1.0, key: float = 1.0) -> None:
    """Put up the set's one light round a subject `size` wide: a large soft box, a rim light, a fill.

    `fill` and `key` scale how bright the shadow side and the lit side are; 1 on paper.
    """
    lamps = (
        ("Key", (-1.7, -1.8, 2.7), 2.4, 108 * key, (1.0, 0.98, 0.955)),
        ("Fill", (2.4, -1.7, 1.0), 2.8, 16 * fill, (0.94, 0.97, 1.0)),
        ("Rim", (1.3, 2.2, 1.9), 1.4, 34, (1.0, 0.985, 0.96)),
    )
    for name, offset, width, watts, colour in lamps:
        place = Vector(subject) + Vector(offset) * size
        soft_box(name, tuple(place), subject, width * size, watts * size**2).color = colour
    world = bpy.context.scene.world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (1.0, 0.992, 0.98, 1)
    background.inputs["Strength"].default_value = 0.52
    # Even paper needs only a few light paths; adaptive sampling spends the rest on highlights and shadows.
    cycles = bpy.context.scene.cycles
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.02, 8


def soft_box(name: str, place: Point, subject: Point, width: float, watts: float) -> bpy.types.Light:
    """A round lamp `width` across that looks at the subject; warm white, unless its colour is changed."""
    data = bpy.data.lights.new(name, "AREA")
    data.shape, data.size, data.energy, data.color = "DISK", width, watts, (1.0, 0.99, 0.97)
    lamp = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(lamp)
    lamp.location = place
    aim(lamp, subject)
    return data


def backdrop(
    depth: float = 3.0, height: float = 6.0, floor: float = 0.0, *, material: bpy.types.Material | None = None
) -> None:
    """A sweep, of paper or a `material`: floor bent up into a wall `depth` behind: no horizon shows."""
    radius, width = 0.45 * depth, 40.0
    line = [(-30.0, floor)]
    for step in range(17):
        angle = math.pi / 2 * step / 16
        line.append((depth - radius + radius * math.sin(angle), floor + radius - radius * math.cos(angle)))
    line.append((depth, floor + height * 3))
    points = [(x, y, z) for x in (-width, width) for y, z in line]
    faces = [(i, i + 1, i + 1 + len(line), i + len(line)) for i in range(len(line) - 1)]
    mesh = bpy.data.meshes.new("Backdrop")
    mesh.from_pydata(points, [], faces)
    mesh.shade_smooth()
    sheet = bpy.data.objects.new("Backdrop", mesh)
    sheet.data.materials.append(material or backdrop_paper())
    bpy.context.scene.collection.objects.link(sheet)


def camera(position: Point, target: Point, *, lens: float = 85, aperture: float = 0.0) -> None:
    """The set's camera: an 85 mm lens, as for products; `aperture` in f-stops (0: everything sharp)."""
    data = bpy.data.cameras.new("Camera")
    data.lens = lens
    data.clip_start = 0.01
    if aperture:
        data.dof.use_dof = True
        data.dof.focus_distance = (Vector(target) - Vector(position)).length
        data.dof.aperture_fstop = aperture
    view = bpy.data.objects.new("Camera", data)
    bpy.context.scene.collection.objects.link(view)
    view.location = position
    aim(view, target)
    bpy.context.scene.camera = view


def aim(thing: bpy.types.Object, target: Point) -> None:
    """Turn a lamp or camera (they look along -Z) towards a point."""
    direction = Vector(target) - thing.location
    thing.rotation_euler = direction.to_track_quat("-Z", "Y").to_euler()


def settle(width: int, height: int, samples: int, *, seed: int = 1) -> None:
    """Set the renderer: Cycles on the processor, denoised, product-true colours, always the same seed."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.seed = seed
    scene.cycles.use_denoising = True
    scene.cycles.denoiser = "OPENIMAGEDENOISE"
    scene.cycles.denoising_prefilter = "ACCURATE"
    scene.cycles.max_bounces = 8
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Khronos PBR Neutral"
    scene.view_settings.look = "None"
    scene.view_settings.exposure = 0.0


def shoot(path: Path) -> None:
    """Render the scene into a PNG."""
    scene = bpy.context.scene
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
