/** Runs inside the browser: draws the film frame by frame and encodes it. `paths`: SVG path data by part. */
export async function shoot({ width, height, rate, seconds, paths }) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  const path = Object.fromEntries(Object.entries(paths).map(([part, data]) => [part, new Path2D(data)]));
  const scale = height / 430;
  const ease = (share) => 1 - (1 - Math.min(1, Math.max(0, share))) ** 3;
  const between = (time, from, to, start, end) => start + (end - start) * ease((time - from) / (to - from));

  const across = (left, right, stops) => {
    const gradient = context.createLinearGradient(left, 0, right, 0);
    for (const [at, colour] of stops) {
      gradient.addColorStop(at, colour);
    }
    return gradient;
  };
  const titanium = across(172, 228, [
    [0, "#8FA3AE"],
    [0.28, "#F1F5F6"],
    [0.52, "#BFCCD3"],
    [1, "#708793"],
  ]);
  const enamel = across(138, 262, [
    [0, "#FFFFFF"],
    [0.6, "#FBF7EC"],
    [1, "#E2DAC6"],
  ]);

  function part(name, fill, lift, alpha = 1) {
    context.save();
    context.translate(0, lift);
    context.globalAlpha = alpha;
    context.fillStyle = fill;
    context.fill(path[name]);
    context.restore();
  }

  function threads(lift, turn) {
    context.save();
    context.translate(0, lift);
    context.clip(path.implant);
    context.fillStyle = "rgb(95 118 130 / 80%)";
    for (let line = -1; line < 11; line += 1) {
      const y = 254 + (line + (turn % 1)) * 14;
      context.beginPath();
      context.moveTo(168, y + 6);
      context.lineTo(232, y);
      context.lineTo(232, y + 5);
      context.lineTo(168, y + 11);
      context.fill();
    }
    context.restore();
  }

  function draw(time) {
    const implant = between(time, 0.6, 3, -290, 40);
    const abutment = between(time, 3, 4.3, -250, 56);
    const crown = between(time, 4.3, 5.8, -250, 88);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#E3F1EF";
    context.fillRect(0, 0, width, height);
    context.setTransform(scale, 0, 0, scale, width / 2 - 200 * scale, 0);
    context.fillStyle = "rgb(251 250 247 / 75%)";
    context.beginPath();
    context.arc(200, 205, 178, 0, 2 * Math.PI);
    context.fill();
    part("gum", "#E9B7A9", 0, 0.55);
    part("bone", "#F3E6CF", 0);
    part("implant", titanium, implant);
    threads(implant, time < 3 ? implant / -45 : 0.1);
    part("shank", titanium, abutment);
    part("collar", titanium, abutment);
    part("crown", enamel, crown);
  }

  const chunks = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      chunks.push({
        key: chunk.type === "key",
        milliseconds: Math.round(chunk.timestamp / 1000),
        data: Array.from(data),
      });
    },
    error: (cause) => {
      throw cause;
    },
  });
  encoder.configure({ codec: "vp09.00.31.08", width, height, bitrate: 900_000, framerate: rate });
  for (let frame = 0; frame < rate * seconds; frame += 1) {
    draw(frame / rate);
    const timestamp = Math.round((frame * 1e6) / rate);
    const image = new VideoFrame(canvas, { timestamp, duration: Math.round(1e6 / rate) });
    encoder.encode(image, { keyFrame: frame % (rate * 2) === 0 });
    image.close();
    if (encoder.encodeQueueSize > 8) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  await encoder.flush();
  draw(seconds);
  const still = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
  return { chunks, poster: Array.from(new Uint8Array(await still.arrayBuffer())) };
}
