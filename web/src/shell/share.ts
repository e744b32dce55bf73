export type ShareOutcome = 'shared' | 'copied' | 'cancelled' | 'failed';

type SharingNavigator = Pick<Navigator, 'clipboard'> & Partial<Pick<Navigator, 'share' | 'canShare'>>;

/** Copies text to the clipboard. Resolves to false if the browser forbids it. */
export async function copyText(
  text: string,
  { clipboard }: Pick<Navigator, 'clipboard'> = navigator,
): Promise<boolean> {
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens the system's share sheet. If it is unavailable, copies the link to the clipboard, or the text if there is no
 * link.
 */
export async function shareOrCopy(data: ShareData, browser: SharingNavigator = navigator): Promise<ShareOutcome> {
  if (browser.share && browser.canShare?.(data) === true) {
    try {
      await browser.share(data);
      return 'shared';
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
      // Uses the clipboard instead, because the share sheet of some systems does not work.
    }
  }
  const words = data.url ?? data.text ?? '';
  return words !== '' && (await copyText(words, browser)) ? 'copied' : 'failed';
}
