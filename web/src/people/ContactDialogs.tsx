import { routes, type Contact } from '@nolo/api';
import { cleanName, limits } from '@nolo/rules';
import { Ban, Pencil, Share2, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { call } from '../api/httpClient.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useContactAction, useUnblock } from './useContactAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

const ShareContactDialog = lazyDialog(async () => (await import('./ShareContactDialog.tsx')).ShareContactDialog);

export interface ContactAction {
  kind: 'details' | 'rename' | 'share' | 'remove' | 'block' | 'unblock';
  contact: Contact;
}

interface ListedAction {
  kind: ContactAction['kind'];
  icon: ReactNode;
  label: string;
  danger?: boolean;
}

/** Lists the actions on a contact, for a menu or a list of buttons. */
export function useListedActions({ userId, isBlocked }: Contact): readonly ListedAction[] {
  const { t } = useTexts(contactsTexts);
  const blocking: ListedAction = isBlocked
    ? { kind: 'unblock', icon: <Ban />, label: t('contacts:unblock') }
    : { kind: 'block', icon: <Ban />, label: t('contacts:block'), danger: true };
  return [
    { kind: 'rename', icon: <Pencil />, label: t('contacts:editName') },
    { kind: 'share', icon: <Share2 />, label: t('contacts:share.action') },
    ...(userId === null ? [] : [blocking]),
    { kind: 'remove', icon: <Trash2 />, label: t('contacts:remove'), danger: true },
  ];
}

export interface ContactDialogsProps {
  action: ContactAction | null;
  /** Called when the contact is no longer in the list. */
  onRemoved: () => void;
  onClose: () => void;
}

/** Asks for the input of a chosen action, then runs it. */
export function ContactDialogs({ action, onRemoved, onClose }: ContactDialogsProps) {
  if (action === null || action.kind === 'details') return null;
  const { kind, contact } = action;
  if (kind === 'rename') return <RenameDialog contact={contact} onClose={onClose} />;
  if (kind === 'share') return <ShareContactDialog contact={contact} onClose={onClose} />;
  if (kind === 'remove') return <RemoveDialog contact={contact} onRemoved={onRemoved} onClose={onClose} />;
  const { userId, displayName } = contact;
  if (userId === null) return null;
  return <BlockDialog blocking={kind === 'block'} userId={userId} name={displayName} onClose={onClose} />;
}

interface ContactDialogProps {
  contact: Contact;
  onClose: () => void;
}

function RemoveDialog({ contact, onRemoved, onClose }: ContactDialogProps & { onRemoved: () => void }) {
  const { t } = useTexts(contactsTexts);
  const removing = useContactAction(() => call(routes.removeContact, { params: { id: contact.id } }), {
    failure: t('contacts:removeFailed'),
    done: t('contacts:removed'),
    onDone: () => {
      onRemoved();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t('contacts:removeTitle', { name: contact.displayName })}
      text={t('contacts:removeText')}
      confirmLabel={t('contacts:remove')}
      onConfirm={removing.run}
    />
  );
}

function BlockDialog(props: { blocking: boolean; userId: string; name: string; onClose: () => void }) {
  const { blocking, userId, name, onClose } = props;
  const { t } = useTexts(contactsTexts);
  const { run: block } = useContactAction((id: string) => call(routes.blockUser, { params: { id } }), {
    failure: t('contacts:blockFailed'),
    done: t('contacts:blocked'),
    onDone: onClose,
  });
  const { run: unblock } = useUnblock(onClose);
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t(blocking ? 'contacts:blockTitle' : 'contacts:unblockTitle', { name })}
      text={t(blocking ? 'contacts:blockText' : 'contacts:unblockText')}
      confirmLabel={t(blocking ? 'contacts:block' : 'contacts:unblock')}
      danger={blocking}
      onConfirm={() => (blocking ? block : unblock)(userId)}
    />
  );
}

/** Gives a contact a private name that only the user sees. */
function RenameDialog({ contact, onClose }: ContactDialogProps) {
  const { t } = useTexts(contactsTexts);
  const renaming = useContactAction(
    (displayName: string) => call(routes.updateContact, { params: { id: contact.id }, body: { displayName } }),
    { failure: t('contacts:renameFailed'), done: t('contacts:renamed'), onDone: onClose },
  );
  const [name, setName] = useState(contact.displayName);
  const missing = cleanName(name) === '';

  const save = async () => {
    if (missing) return;
    if (cleanName(name) === contact.displayName) onClose();
    else await renaming.run(name);
  };

  return (
    <FormDialog
      size="small"
      title={t('contacts:editName')}
      description={t('contacts:editNameText')}
      disabled={missing}
      submitLabel={t('common.save')}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        autoComplete="off"
        maxLength={limits.contactNameLength}
        label={t('contacts:displayName')}
        error={missing ? t('contacts:nameRequired') : null}
        value={name}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
