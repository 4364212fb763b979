"""Daylight for the rooms, and the level camera of interior photography. Metres; x right, y away, z up."""

import math

import bpy
from mathutils import Vector

from tools.pictures.rooms.solids import Point

WINDOW = (0.97, 0.985, 1.0)


def daylight(*, sun: float = 5.0, towards: Point = (0.75, 0.35, -0.62), sky: float = 1.0) -> None:
    """The sun from outside the windows and an even bright sky; `sun` in W/m2, `sky` as the world's strength."""
    data = bpy.data.lights.new("Sun", "SUN")
    data.energy, data.angle, data.color = sun, math.radians(1.2), (1.0, 0.97, 0.92)
    lamp = _hang(data, (0, 0, 8))
    lamp.rotation_euler = Vector(towards).to_track_quat("-Z", "Y").to_euler()
    world = bpy.context.scene.world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (0.93, 0.965, 1.0, 1)
    _bright_to_the_eye(world.node_tree, background, sky)
    cycles = bpy.context.scene.cycles
    cycles.sample_clamp_indirect = 5.0
    cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 3, 2, 3
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.03


def _bright_to_the_eye(tree: bpy.types.NodeTree, background: bpy.types.Node, sky: float) -> None:
    """Interior photographs show the sky behind a window as plain white, brighter than it lights the room."""
    seen, strength = tree.nodes.new("ShaderNodeLightPath"), tree.nodes.new("ShaderNodeMapRange")
    strength.inputs["To Min"].default_value, strength.inputs["To Max"].default_value = sky, 4.0
    tree.links.new(seen.outputs["Is Camera Ray"], strength.inputs["Value"])
    tree.links.new(strength.outputs["Result"], background.inputs["Strength"])


def soft(at: Point, towards: Point, size: tuple[float, float], watts: float) -> None:
    """A large soft light that no one sees: a window's sky, or the brightness of the room behind the camera."""
    data = bpy.data.lights.new("Soft", "AREA")
    data.shape, data.size, data.size_y, data.energy, data.color = "RECTANGLE", *size, watts, WINDOW
    lamp = _hang(data, at)
    lamp.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    lamp.visible_camera = lamp.visible_glossy = False


def level(at: Point, towards: tuple[float, float], *, lens: float = 26, rise: float = 0.0) -> None:
    """A camera that is held level, so that walls stay upright: it turns in the plan and shifts by `rise`."""
    data = bpy.data.cameras.new("Camera")
    data.lens, data.shift_y, data.clip_start = lens, rise, 0.05
    view = bpy.data.objects.new("Camera", data)
    bpy.context.scene.collection.objects.link(view)
    view.location = at
    heading = math.atan2(towards[0] - at[0], towards[1] - at[1])
    view.rotation_euler = (math.pi / 2, 0, -heading)
    bpy.context.scene.camera = view


def held() -> bpy.types.Object:
    """The camera that `level` set up."""
    return bpy.context.scene.camera


def focus(distance: float, stop: float) -> None:
    """Make the camera sharp at a distance in metres and soft beyond, at an f-stop."""
    depth = held().data.dof
    depth.use_dof, depth.focus_distance, depth.aperture_fstop = True, distance, stop


def _hang(data: bpy.types.Light, at: Point) -> bpy.types.Object:
    lamp = bpy.data.objects.new(data.name, data)
    bpy.context.scene.collection.objects.link(lamp)
    lamp.location = at
    return lamp
