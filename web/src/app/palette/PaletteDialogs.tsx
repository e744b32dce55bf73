import type { GroupDialog } from '../../groups/GroupDialogs.tsx';
import type { MeetingDialog } from '../../meetings/MeetingDialogs.tsx';
import { late } from '../../ui/late.tsx';

const AddContactDialog = late(async () => (await import('../../people/AddContactDialog.tsx')).AddContactDialog);
const GroupDialogs = late(
  async () => (await import('../../groups/GroupDialogs.tsx')).GroupDialogs,
  ({ onChange }) => onChange(null),
);
const MeetingDialogs = late(
  async () => (await import('../../meetings/MeetingDialogs.tsx')).MeetingDialogs,
  ({ onChange }) => onChange(null),
);

/** A dialog that an action of the palette opens in its place. */
export type PaletteDialog =
  { of: 'contact' } | { of: 'group'; dialog: GroupDialog } | { of: 'meeting'; dialog: MeetingDialog };

interface PaletteDialogsProps {
  open: PaletteDialog;
  /** Null closes. */
  onChange: (dialog: PaletteDialog | null) => void;
}

export function PaletteDialogs({ open, onChange }: PaletteDialogsProps) {
  switch (open.of) {
    case 'contact':
      return <AddContactDialog onClose={() => onChange(null)} />;
    case 'group':
      return (
        <GroupDialogs
          entry="desktop"
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
