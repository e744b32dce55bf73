export type ShareOutcome = 'shared' | 'copied' | 'cancelled' | 'failed';

type SharingNavigator = Pick<Navigator, 'clipboard'> & Partial<Pick<Navigator, 'share' | 'canShare'>>;

/** Puts a text into the clipboard; false where the browser does not allow it. */
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

/** Hands something to the system's share sheet, or else its link, or its text where it has none, to the clipboard. */
export async function shareOut(data: ShareData, browser: SharingNavigator = navigator): Promise<ShareOutcome> {
  if (browser.share && browser.canShare?.(data) === true) {
    try {
      await browser.share(data);
      return 'shared';
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
      // Some systems offer a share sheet that does not work; the clipboard does.
    }
  }
  const words = data.url ?? data.text ?? '';
  return words !== '' && (await copyText(words, browser)) ? 'copied' : 'failed';
}
