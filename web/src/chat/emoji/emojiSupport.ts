const size = 20;

let context: CanvasRenderingContext2D | null | undefined;

function canvas(): CanvasRenderingContext2D | null {
  if (context !== undefined) return context;
  const element = document.createElement('canvas');
  [element.width, element.height] = [size, size];
  context = element.getContext('2d', { willReadFrequently: true });
  if (context) {
    context.textBaseline = 'top';
    context.font = `${size - 4}px sans-serif`;
  }
  return context;
}

/** Whether it is drawn in colours of its own: what a font lacks is drawn in the colour of the text. */
function isColoured(drawing: CanvasRenderingContext2D, text: string): boolean {
  const paint = (colour: string): Uint8ClampedArray => {
    drawing.clearRect(0, 0, size, size);
    drawing.fillStyle = colour;
    drawing.fillText(text, 0, 0);
    return drawing.getImageData(0, 0, size, size).data;
  };
  const [red, blue] = [paint('#f00'), paint('#00f')];
  let seen = false;
  for (let at = 0; at < red.length; at += 4) {
    if ((red[at + 3] ?? 0) < 200) continue;
    seen = true;
    if (red[at] === blue[at] && red[at + 2] === blue[at + 2]) return true;
  }
  // Where nothing can be drawn at all (a browser that blurs what canvases say) nothing is known either.
  return !seen;
}

/**
 * The newest version of Unicode Emoji that this browser can draw: one of each is tried, newest first. Tried by example,
 * for drawing all of them would be felt.
 */
export function supportedVersion(
  emoji: readonly { text: string; version: number; tones: readonly string[] }[],
): number {
  const drawing = canvas();
  if (!drawing) return Infinity;
  const examples = new Map<number, string>();
  for (const { text, version } of emoji) {
    // Sequences fall apart into parts that an older font has, so only single ones tell.
    if ([...text].length === 1 && !examples.has(version)) examples.set(version, text);
  }
  const newestFirst = [...examples].toSorted(([a], [b]) => b - a);
  return newestFirst.find(([, text]) => isColoured(drawing, text))?.[0] ?? Infinity;
}
