/*
 * Runs in a page when it opens. `recordCamera` then returns some seconds of a camera in one size, encoded as WebRTC
 * would.
 */
globalThis.recordCamera = async ({ width, height, bitrate, framerate, frames }) => {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  const taken = [];
  /** @type {Error | undefined} */
  let failed;
  const encoder = new VideoEncoder({
    output(chunk, { svc }) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      taken.push({ data: bytes.toBase64?.() ?? btoa(String.fromCharCode(...bytes)), layer: svc?.temporalLayerId ?? 0 });
    },
    error(error) {
      failed = new Error(error.message, { cause: error });
    },
  });
  encoder.configure({
    codec: 'vp8',
    width,
    height,
    bitrate,
    framerate,
    latencyMode: 'realtime',
    scalabilityMode: 'L1T3',
  });
  for (let index = 0; index < frames && !failed; index += 1) {
    // Draws a face that moves a little in front of a wall, with sensor noise.
    const shift = Math.sin((index / frames) * 2 * Math.PI);
    drawing.fillStyle = '#8a9aa8';
    drawing.fillRect(0, 0, width, height);
    drawing.fillStyle = '#d9a58b';
    drawing.beginPath();
    drawing.ellipse(width * (0.5 + shift * 0.08), height * 0.5, width * 0.14, height * 0.32, 0, 0, 2 * Math.PI);
    drawing.fill();
    for (let grain = 0; grain < 400; grain += 1) {
      drawing.fillStyle = grain % 2 ? '#0002' : '#fff2';
      drawing.fillRect(Math.random() * width, Math.random() * height, width / 80, height / 80);
    }
    const frame = new VideoFrame(canvas, { timestamp: (index * 1e6) / framerate });
    encoder.encode(frame, { keyFrame: index === 0 });
    frame.close();
    while (encoder.encodeQueueSize > 2) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await encoder.flush();
  encoder.close();
  if (failed) throw failed;
  return taken;
};
