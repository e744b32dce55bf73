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

/** Returns true if the emoji has colors of its own. Characters missing from the font are drawn in the text color. */
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
  // If nothing can be drawn at all (a browser that blurs canvas data), support is unknown.
  return !seen;
}

/**
 * Returns the newest Unicode Emoji version that this browser can draw. Tries one example of each version, newest first,
 * because drawing all of them takes noticeable time.
 */
export function findSupportedEmojiVersion(
  emoji: readonly { text: string; version: number; tones: readonly string[] }[],
): number {
  const drawing = canvas();
  if (!drawing) return Infinity;
  const examples = new Map<number, string>();
  for (const { text, version } of emoji) {
    // Older fonts draw sequences as their parts, so only single code points are conclusive.
    if ([...text].length === 1 && !examples.has(version)) examples.set(version, text);
  }
  const newestFirst = [...examples].toSorted(([a], [b]) => b - a);
  return newestFirst.find(([, text]) => isColoured(drawing, text))?.[0] ?? Infinity;
}
