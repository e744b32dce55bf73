import { useShareActions } from '../shell/useShareActions.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

/** Sends an invitation by any means available on the device (decision 6). */
export function useInviteAction() {
  const { t } = useTexts(contactsTexts);
  const { copy, send } = useShareActions();
  const copied = t('contacts:invitationCopied');
  return {
    share: (url: string) => send({ text: t('contacts:invitation', { url }) }, copied),
    copy: (url: string) => copy(url, copied),
  };
}
