import { Hash, LogIn, Users } from 'lucide-react';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { CreateGroupDialog } from './CreateGroupDialog.tsx';
import type { GroupDialogOrigin } from './useCreateGroup.ts';
import { JoinGroupDialog } from './JoinGroupDialog.tsx';
import { CreateRoomDialog } from './CreateRoomDialog.tsx';
import { ShareGroupDialog, type SharedGroup } from './ShareGroupDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

export type GroupDialogState =
  | { kind: 'choose' | 'room' | 'join' }
  /** `people` are chosen already. */
  | { kind: 'group'; people?: readonly ListedPerson[] }
  | { kind: 'share'; group: SharedGroup };

export interface GroupDialogsProps {
  entry: GroupDialogOrigin;
  dialog: GroupDialogState | null;
  /** Null closes the dialog. A new group leads to its share dialog. */
  onChange: (dialog: GroupDialogState | null) => void;
}

/** Dialogs for getting into a group. One is open at a time. */
export function GroupDialogs({ entry, dialog, onChange }: GroupDialogsProps) {
  const close = () => onChange(null);
  const share = (group: SharedGroup) => onChange({ kind: 'share', group });
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'choose':
      return <ChooseDialog onClose={close} onChoose={(kind) => onChange({ kind })} />;
    case 'group':
      return <CreateGroupDialog entry={entry} people={dialog.people} onClose={close} onCreated={share} />;
    case 'room':
      return <CreateRoomDialog entry={entry} onClose={close} onCreated={share} />;
    case 'join':
      return <JoinGroupDialog onClose={close} />;
    case 'share':
      return <ShareGroupDialog group={dialog.group} onClose={close} />;
  }
}

/** Combines the choices where separate buttons do not fit: on phones. */
function ChooseDialog(props: { onClose: () => void; onChoose: (kind: 'group' | 'room' | 'join') => void }) {
  const { onClose, onChoose } = props;
  const { t } = useTexts(groupTexts, groupsTexts);
  const ways = [
    { kind: 'group', Icon: Users, label: t('group:create'), text: t('groups:choose.createText') },
    { kind: 'room', Icon: Hash, label: t('group:createChat'), text: t('groups:choose.createChatText') },
    { kind: 'join', Icon: LogIn, label: t('group:joinChat'), text: t('groups:choose.joinText') },
  ] as const;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="small"
      title={t('groups:choose.title')}
      description={t('groups:choose.text')}
    >
      <ul className="-mx-2 flex flex-col">
        {ways.map(({ kind, Icon, label, text }) => (
          <li key={kind}>
            <button
              type="button"
              onClick={() => onChoose(kind)}
              className="flex w-full items-center gap-3 rounded-card px-2 py-2.5 text-start hover:bg-hover active:bg-pressed"
            >
              <span
                aria-hidden="true"
                className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent-subtle text-accent-text"
              >
                <Icon className="size-5 rtl:-scale-x-100" />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block text-15 font-medium">{label}</span>
                <span className="block text-13 text-muted">{text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
