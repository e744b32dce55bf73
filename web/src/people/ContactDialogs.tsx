import type { Contact } from '@nolo/api';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { useContactActions } from './useContactActions.ts';
import { useContactsWords } from './useContactsWords.ts';

const ShareContactDialog = lazyDialog(async () => (await import('./ShareContactDialog.tsx')).ShareContactDialog);

/** Action chosen for a contact. */
export interface ContactAction {
  kind: 'details' | 'rename' | 'share' | 'remove' | 'block' | 'unblock';
  contact: Contact;
}

export interface ContactDialogsProps {
  action: ContactAction | null;
  /** Called when the contact is no longer in the list. */
  onRemoved: () => void;
  onClose: () => void;
}

/** Asks for the input of a chosen action, then runs it. */
export function ContactDialogs({ action, onRemoved, onClose }: ContactDialogsProps) {
  const { t } = useContactsWords();
  const { remove, block, unblock } = useContactActions();
  if (action === null || action.kind === 'details') return null;
  const { kind, contact } = action;
  const { userId, displayName: name } = contact;

  if (kind === 'rename') return <RenameDialog contact={contact} onClose={onClose} />;
  if (kind === 'share') return <ShareContactDialog contact={contact} onClose={onClose} />;
  if (kind === 'remove') {
    return (
      <ConfirmDialog
        open
        onCancel={onClose}
        title={t('contacts.removeTitle', { name })}
        text={t('contacts.removeText')}
        confirmLabel={t('contacts.remove')}
        onConfirm={async () => {
          if (!(await remove(contact))) return;
          onRemoved();
          onClose();
        }}
      />
    );
  }
  if (userId === null) return null;
  const blocking = kind === 'block';
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t(blocking ? 'contacts.blockTitle' : 'contacts.unblockTitle', { name })}
      text={t(blocking ? 'contacts.blockText' : 'contacts.unblockText')}
      confirmLabel={t(blocking ? 'contacts.block' : 'contacts.unblock')}
      danger={blocking}
      onConfirm={async () => {
        if (await (blocking ? block(userId) : unblock(userId))) onClose();
      }}
    />
  );
}
