import type { GroupDialogState } from '../groups/GroupDialogs.tsx';
import type { GroupDialogOrigin } from '../groups/useCreateGroup.ts';
import type { MeetingDialogRequest } from '../meetings/MeetingDialogs.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';

const AddContactDialog = lazyDialog(async () => (await import('../people/AddContactDialog.tsx')).AddContactDialog);
const AddByLinkDialog = lazyDialog(async () => (await import('../people/AddByLinkDialog.tsx')).AddByLinkDialog);
const CreateStatusDialog = lazyDialog(
  async () => (await import('../status/CreateStatusDialog.tsx')).CreateStatusDialog,
);
const GroupDialogs = lazyDialog(
  async () => (await import('../groups/GroupDialogs.tsx')).GroupDialogs,
  ({ onChange }) => onChange(null),
);
const OwnLinkDialog = lazyDialog(async () => (await import('../people/OwnLinkDialog.tsx')).OwnLinkDialog);
const MeetingDialogs = lazyDialog(
  async () => (await import('../meetings/MeetingDialogs.tsx')).MeetingDialogs,
  ({ onChange }) => onChange(null),
);

/** Dialog that starts something, and replaces the element in which it was chosen. */
export type StartDialogRequest =
  | { of: 'contact'; phoneNumber?: string }
  /** Own link, or a scanned one of another user. */
  | { of: 'link'; token?: string }
  | { of: 'status' }
  | { of: 'group'; dialog: GroupDialogState }
  | { of: 'meeting'; dialog: MeetingDialogRequest };

interface BeginDialogsProps {
  /** Place where it was chosen (decision 14). */
  entry: GroupDialogOrigin;
  open: StartDialogRequest;
  /** Opens another dialog; null closes it. */
  onChange: (dialog: StartDialogRequest | null) => void;
}

export function StartDialogs({ entry, open, onChange }: BeginDialogsProps) {
  const close = () => onChange(null);
  switch (open.of) {
    case 'contact':
      return (
        <AddContactDialog onClose={close} {...(open.phoneNumber !== undefined && { phoneNumber: open.phoneNumber })} />
      );
    case 'link':
      if (open.token !== undefined) return <AddByLinkDialog token={open.token} onClose={close} />;
      return <OwnLinkDialog onClose={close} onFound={(token) => onChange({ of: 'link', token })} />;
    case 'status':
      return <CreateStatusDialog onClose={close} />;
    case 'group':
      return (
        <GroupDialogs
          entry={entry}
          dialog={open.dialog}
          onChange={(dialog) => onChange(dialog && { of: 'group', dialog })}
        />
      );
    case 'meeting':
      return (
        <MeetingDialogs
          entry="sidebar"
          dialog={open.dialog}
          onChange={(dialog) => onChange(dialog && { of: 'meeting', dialog })}
        />
      );
  }
}
