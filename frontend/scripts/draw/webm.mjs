/** A WebM file from encoded VP9 frames: length and places of the key frames are in it, so that players can jump. */

function sizeOf(length) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  return bytes;
}

const element = (id, ...bodies) => {
  const body = Buffer.concat(bodies);
  return Buffer.concat([Buffer.from(id, "hex"), sizeOf(body.length), body]);
};

function whole(value, bytes = 4) {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function decimal(value) {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(value);
  return buffer;
}

const HEADER = element(
  "1a45dfa3",
  element("4286", whole(1)),
  element("42f7", whole(1)),
  element("42f2", whole(4)),
  element("42f3", whole(8)),
  element("4282", Buffer.from("webm")),
  element("4287", whole(4)),
  element("4285", whole(2)),
);

function simpleBlock({ key, milliseconds, data }, from) {
  const head = Buffer.alloc(4);
  head.writeUInt8(0x81, 0); // track 1
  head.writeInt16BE(milliseconds - from, 1);
  head.writeUInt8(key ? 0x80 : 0, 3);
  return element("a3", head, Buffer.from(data));
}

function clusters(chunks) {
  const groups = [];
  for (const chunk of chunks) {
    if (chunk.key) {
      groups.push([]);
    }
    groups.at(-1).push(chunk);
  }
  return groups.map((group) => ({
    from: group[0].milliseconds,
    bytes: element(
      "1f43b675",
      element("e7", whole(group[0].milliseconds)),
      ...group.map((chunk) => simpleBlock(chunk, group[0].milliseconds)),
    ),
  }));
}

/** `chunks`: {key, milliseconds, data} in their order, the first a key frame. `duration` in milliseconds. */
export function webmOf(chunks, { width, height, duration }) {
  const maker = Buffer.from("clinic-site");
  const info = element(
    "1549a966",
    element("2ad7b1", whole(1_000_000)),
    element("4489", decimal(duration)),
    element("4d80", maker),
    element("5741", maker),
  );
  const track = element(
    "ae",
    element("d7", whole(1)),
    element("73c5", whole(1)),
    element("83", whole(1)),
    element("86", Buffer.from("V_VP9")),
    element("e0", element("b0", whole(width)), element("ba", whole(height))),
  );
  const head = Buffer.concat([info, element("1654ae6b", track)]);
  const parts = clusters(chunks);
  const cuesOf = (start) => {
    let place = start;
    const points = parts.map(({ from, bytes }) => {
      const at = place;
      place += bytes.length;
      const position = element("b7", element("f7", whole(1)), element("f1", whole(at)));
      return element("bb", element("b3", whole(from)), position);
    });
    return element("1c53bb6b", ...points);
  };
  // Every number has a fixed width: the list of places is as long before as after they are known.
  const start = head.length + cuesOf(0).length;
  return Buffer.concat([
    HEADER,
    element("18538067", head, cuesOf(start), ...parts.map(({ bytes }) => bytes)),
  ]);
}
