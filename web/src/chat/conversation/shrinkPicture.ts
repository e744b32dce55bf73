const pixels = 320;
/** Maximum length of the picture, which leaves room for the text within `limits.linkPreviewBytes`. */
const maxDataUrlLength = 28_000;

/**
 * Converts the server's preview picture to a small WebP `data:` URL. Returns undefined if the browser cannot create one
 * that fits. Redrawing also drops all metadata in the file.
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
    // Browsers without a WebP encoder return PNG, which may be too large.
    for (const quality of [0.8, 0.6, 0.4, 0.2]) {
      const made = canvas.toDataURL('image/webp', quality);
      if (made.length <= maxDataUrlLength) return made;
    }
  } catch {
    // Invalid pictures, and those too large for the browser, are omitted.
  }
  return undefined;
}
