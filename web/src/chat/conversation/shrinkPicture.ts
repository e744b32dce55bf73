const pixels = 320;
/** Leaves room for the words within `limits.linkPreviewBytes`. */
const mostCharacters = 28_000;

/**
 * A small WebP of the picture that the server found, as a data: address; undefined where the browser cannot make one
 * that fits. Drawing it anew also leaves everything behind that was in the file besides the picture.
 */
export async function shrinkPicture(dataUrl: string): Promise<string | undefined> {
  if (!dataUrl.startsWith('data:image/')) return undefined;
  try {
    const picture = new Image();
    picture.src = dataUrl;
    await picture.decode();
    const { naturalWidth, naturalHeight } = picture;
    const scale = Math.min(1, pixels / Math.max(naturalWidth, naturalHeight, 1));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(naturalWidth * scale));
    canvas.height = Math.max(1, Math.round(naturalHeight * scale));
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    // Browsers that make no WebP answer with PNG, which may be too large.
    for (const quality of [0.8, 0.6, 0.4, 0.2]) {
      const made = canvas.toDataURL('image/webp', quality);
      if (made.length <= mostCharacters) return made;
    }
  } catch {
    // What is no picture after all, or more than the browser can hold, is left out.
  }
  return undefined;
}
