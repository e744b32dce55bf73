export type InviteOutcome = 'shared' | 'copied' | 'cancelled' | 'failed';

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

/** Hands an invitation to the system's share sheet, or else to the clipboard. It is never sent by Nolo. */
export async function shareInvitation(text: string, browser: SharingNavigator = navigator): Promise<InviteOutcome> {
  if (browser.share && browser.canShare?.({ text }) === true) {
    try {
      await browser.share({ text });
      return 'shared';
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
      // Some systems offer a share sheet that does not work; the clipboard does.
    }
  }
  return (await copyText(text, browser)) ? 'copied' : 'failed';
}
