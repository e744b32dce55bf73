import { toast } from '../ui/toasts.ts';
import { copyText } from '../people/invite.ts';
import { useGroupsWords } from './call/useGroupsWords.ts';

export interface ShareGroup {
  copyLink: (url: string) => Promise<void>;
  copyCode: (code: string) => Promise<void>;
  /** Hands it to the system's share sheet; null where there is none. */
  send: ((shared: { name: string; code: string; url: string }) => Promise<void>) | null;
}

/** Gives a group's link and code away, by clipboard or by the system's own means. */
export function useShareGroup(): ShareGroup {
  const { t } = useGroupsWords();
  const copy = async (text: string, copied: string) => {
    toast(
      (await copyText(text))
        ? { kind: 'success', title: t('success.copied'), description: copied }
        : { kind: 'error', title: t('errors.copyLink') },
    );
  };
  const copyLink = (url: string) => copy(url, t('groups.share.linkCopied'));
  return {
    copyLink,
    copyCode: (code) => copy(code, t('groups.share.codeCopied')),
    send:
      typeof navigator.share === 'function'
        ? async ({ name, code, url }) => {
            try {
              await navigator.share({ title: name, text: t('groups.share.invitation', { name, code }), url });
            } catch (error) {
              // Some systems offer a share sheet that does not work; the clipboard does.
              if (!(error instanceof Error && error.name === 'AbortError')) await copyLink(url);
            }
          }
        : null,
  };
}
