import type { Contact } from '@nolo/api';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

/**
 * Ways to reach a contact: the number, and for people on Nolo a link to write to them. Neither belongs in a public
 * post.
 */
export function ShareContactDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { t } = useTexts(contactsTexts);
  const { displayName: name, phoneNumber, userId } = contact;
  return (
    <ShareDialog
      title={t('contacts:share.title')}
      description={t('contacts:share.text')}
      shared={{
        name,
        text: phoneNumber === null ? name : t('contacts:share.numbered', { name, number: phoneNumber }),
        ...(userId !== null && {
          link: {
            url: `${location.origin}/chat/${userId}`,
            label: t('contacts:share.link'),
            copyLabel: t('contacts:copyLink'),
            copied: t('contacts:share.linkCopied'),
          },
        }),
        ...(phoneNumber !== null && {
          code: {
            spelled: false,
            value: phoneNumber,
            label: t('contacts:phoneNumber'),
            copyLabel: t('contacts:share.copyNumber'),
            copied: t('contacts:share.numberCopied'),
          },
        }),
      }}
      done={{ label: t('contacts:share.done'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}
