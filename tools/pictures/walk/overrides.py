"""Materials that replace all others for a moment: one that shows the depth, and one that shows the key frames.

A surface hardly changes its colour while the camera passes slowly, so each frame takes its colours from the key
frames: what a point of a surface looked like where a key frame saw it. Whether it saw the point, its depth tells;
that depends on the point alone, so that nothing flickers from frame to frame. Edges are as sharp as if rendered.
"""

import math
from pathlib import Path
from typing import Any, TypeAlias

import bpy
import numpy as np

from tools.pictures.materials import computed, maths, shining
from tools.pictures.walk.rails import Pose

SENSOR = 36.0
FAR = 1000.0
# How much nearer the depth may be before a point counts as hidden: metres, and a share of its distance.
SLACK, SLOPE = 0.03, 0.014
# What is left of the weight of a key frame that does not see a point, for points that no key frame sees.
UNSEEN = 1e-4
# The weight of glances, and of key frames other than the two beside the camera: where those two see nothing.
DISTANT = 0.01

Socket: TypeAlias = bpy.types.NodeSocket


def show_depth() -> None:
    """Let every surface show its distance along the view, in metres, and the sky FAR."""
    made, tree, emission = shining("Depth")
    seen = tree.nodes.new("ShaderNodeCameraData")
    tree.links.new(seen.outputs["View Z Depth"], emission.inputs["Strength"])
    _override(made, FAR)


def shoot_depth(path: Path, width: int, height: int) -> None:
    """Render the depth of each pixel's middle into an EXR."""
    scene = bpy.context.scene
    _plain(width, height, 1, 0.01)
    settings = scene.render.image_settings
    settings.file_format, settings.color_depth, settings.color_mode = "OPEN_EXR", "32", "RGB"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def show_keys(poses: list[Pose], pictures: list[tuple[Path, Path]], size: tuple[int, int]) -> list[Socket]:
    """Let every surface show the key frames; returns a weight for each of them to set, from 0 to 1.

    Args:
        poses: The cameras of the key frames.
        pictures: Each one's picture and depth.
        size: The width and height of both in pixels, or others in the same proportions.
    """
    made, tree, emission = shining("Key frames")
    nodes = Nodes(tree)
    weights, coloured, weighed = [], None, None
    for at, (picture, depth) in zip(poses, pictures, strict=True):
        weight = tree.nodes.new("ShaderNodeValue").outputs[0]
        weights.append(weight)
        uv, seen = nodes.seen(at, depth, size)
        share = nodes.maths("MULTIPLY", weight, nodes.maths("ADD", seen, UNSEEN))
        colour = nodes.scaled(nodes.picture(picture, uv, "sRGB", "Cubic"), share)
        coloured = colour if coloured is None else nodes.vector("ADD", coloured, colour)
        weighed = share if weighed is None else nodes.maths("ADD", weighed, share)
    whole = nodes.scaled(coloured, nodes.maths("DIVIDE", 1.0, nodes.maths("MAXIMUM", weighed, 1e-9)))
    tree.links.new(whole, emission.inputs["Color"])
    _override(made, 1.0)
    return weights


def weigh(sockets: list[Socket], keys: tuple[float, ...], share: float) -> None:
    """Set the key frames' weights for a camera at a share of its rail: the two beside it, by nearness.

    What follows the key frames are glances.
    """
    weights = shares(keys, share)
    for socket, weight in zip(sockets, weights + [DISTANT] * (len(sockets) - len(weights)), strict=True):
        socket.default_value = weight


def shares(keys: tuple[float, ...], share: float) -> list[float]:
    """Each key frame's weight at a share of the rail; between two keys theirs sum to 1, the rest have DISTANT."""
    found = [DISTANT] * len(keys)
    for number in range(len(keys) - 1):
        near, far = keys[number], keys[number + 1]
        if near <= share <= far:
            part = (share - near) / (far - near)
            smooth = part * part * (3 - 2 * part)
            found[number], found[number + 1] = max(DISTANT, 1 - smooth), max(DISTANT, smooth)
            break
    return found


def shoot_frame(path: Path, size: tuple[int, int], samples: int) -> None:
    """Render a frame of the key frames' colours into a PNG."""
    scene = bpy.context.scene
    _plain(*size, samples, 1.1)
    settings = scene.render.image_settings
    settings.file_format, settings.color_depth, settings.color_mode = "PNG", "8", "RGB"
    settings.compression = 10
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


class Nodes:
    """Short names for a material's arithmetic."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree = tree

    def maths(self, operation: str, *given: Any) -> Socket:
        """A number from numbers."""
        return maths(self.tree, operation, *given)

    def vector(self, operation: str, *given: Any) -> Socket:
        """A vector from vectors; the number for DOT_PRODUCT."""
        made = computed(self.tree, "ShaderNodeVectorMath", operation, given)
        return made.outputs["Value" if operation == "DOT_PRODUCT" else "Vector"]

    def scaled(self, vector: Socket, by: Socket) -> Socket:
        """A vector times a number."""
        made = computed(self.tree, "ShaderNodeVectorMath", "SCALE", (vector,))
        self.tree.links.new(by, made.inputs["Scale"])
        return made.outputs["Vector"]

    def picture(self, path: Path, uv: Socket, space: str, filtered: str, beyond: str = "EXTEND") -> Socket:
        """A picture's colour at a place."""
        made = self.tree.nodes.new("ShaderNodeTexImage")
        made.image = bpy.data.images.load(str(path))
        made.image.colorspace_settings.name = space
        made.interpolation, made.extension = filtered, beyond
        self.tree.links.new(uv, made.inputs["Vector"])
        return made.outputs["Color"]

    def seen(self, at: Pose, depth: Path, size: tuple[int, int]) -> tuple[Socket, Socket]:
        """Where in a key frame the shaded point is (0..1, from the lower left), and 1 if it is seen there.

        Few nodes, because they run for every sample: the camera's own coordinates come from an object in its place,
        and outside the key frame its depth reads as 0, which hides every point.
        """
        width, height = size
        place = self.tree.nodes.new("ShaderNodeTexCoord")
        place.object = stand(at)
        here = place.outputs["Object"]
        away = self.vector("DOT_PRODUCT", here, (0.0, 0.0, -1.0))
        onto = self.scaled(here, self.maths("DIVIDE", at.lens / SENSOR, self.maths("MAXIMUM", away, 1e-3)))
        high = width / height
        found = self.vector("MULTIPLY_ADD", onto, (1.0, high, 0.0), (0.5, 0.5 - at.rise * high, 0.0))
        nearest = self.picture(nearest_depth(depth), found, "Non-Color", "Closest", beyond="CLIP")
        half = self.maths("MULTIPLY_ADD", nearest, (1 + SLOPE) / 2, SLACK / 2)
        return found, self.maths("COMPARE", away, half, half)


def stand(at: Pose) -> bpy.types.Object:
    """An object in a pose's place with a camera's axes: to the right, up, and against the view."""
    made = bpy.data.objects.new("Key frame", None)
    made.location, made.rotation_euler = at.at, (math.pi / 2, 0.0, -at.heading)
    bpy.context.scene.collection.objects.link(made)
    return made


def nearest_depth(depth: Path) -> Path:
    """A depth picture beside `depth`, in which each pixel has the least depth of itself and its eight neighbours.

    The pixels along a silhouette are mixed with what is in front: no background takes its colour from them.
    """
    target = depth.with_name(f"{depth.stem}-nearest.exr")
    source = bpy.data.images.load(str(depth))
    width, height = source.size
    values = np.empty(width * height * 4, np.float32)
    source.pixels.foreach_get(values)
    least = eroded(values.reshape(height, width, 4)[..., 0])
    made = bpy.data.images.new("Nearest", width, height, float_buffer=True, is_data=True)
    made.pixels.foreach_set(np.repeat(least[..., None], 4, 2).ravel())
    made.filepath_raw, made.file_format = str(target), "OPEN_EXR"
    made.save()
    return target


def eroded(depth: np.ndarray) -> np.ndarray:
    """The least of each pixel's 3 x 3 neighbourhood; `depth` is height by width, so is what it returns."""
    wide = np.pad(depth, 1, mode="edge")
    rows = np.minimum(np.minimum(wide[:-2], wide[1:-1]), wide[2:])
    return np.minimum(np.minimum(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])


def _override(made: bpy.types.Material, sky: float) -> None:
    """Give every surface the material, and the sky an even brightness."""
    scene = bpy.context.scene
    scene.view_layers[0].material_override = made
    tree = scene.world.node_tree
    tree.nodes.clear()
    background, out = tree.nodes.new("ShaderNodeBackground"), tree.nodes.new("ShaderNodeOutputWorld")
    background.inputs["Color"].default_value, background.inputs["Strength"].default_value = (1, 1, 1, 1), sky
    tree.links.new(background.outputs[0], out.inputs["Surface"])


def _plain(width: int, height: int, samples: int, filtered: float) -> None:
    """Set the renderer for materials that only shine; `filtered` is how many pixels a pixel's filter spans."""
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.engine, scene.render.resolution_percentage = "CYCLES", 100
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, 1
    cycles.use_denoising = cycles.use_adaptive_sampling = False
    cycles.max_bounces = cycles.transparent_max_bounces = 0
    cycles.filter_width = filtered
    scene.view_settings.view_transform, scene.view_settings.look = "Standard", "None"
