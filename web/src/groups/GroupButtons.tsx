import { DoorOpen, Hash, Users } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ActionMenuButton } from '../ui/ActionMenuButton.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import type { GroupDialogState } from './GroupDialogs.tsx';
import type { GroupDialogOrigin } from './useCreateGroup.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';

/* The dialogs and their texts load when the first one opens. */
const GroupDialogs = lazyDialog(
  async () => (await import('./GroupDialogs.tsx')).GroupDialogs,
  ({ onChange }) => onChange(null),
);

/** Provides the group dialogs to a component with buttons for them. */
export function useGroupDialogs(entry: GroupDialogOrigin): {
  open: (dialog: GroupDialogState) => void;
  dialogs: ReactNode;
} {
  const [dialog, setDialog] = useState<GroupDialogState | null>(null);
  const dialogs = dialog !== null && <GroupDialogs entry={entry} dialog={dialog} onChange={setDialog} />;
  return { open: setDialog, dialogs };
}

/** Button above the chat list that opens the group dialogs. */
export function NewGroupButton() {
  const { t } = useTexts(groupTexts);
  const { open, dialogs } = useGroupDialogs('desktop');
  return (
    <>
      <ActionMenuButton
        icon={<Users aria-hidden="true" />}
        label={t('group:newGroup')}
        actions={[
          { label: t('group:create'), icon: <Users />, onSelect: () => open({ kind: 'group' }) },
          { label: t('group:createChat'), icon: <Hash />, onSelect: () => open({ kind: 'room' }) },
          {
            label: t('group:joinChat'),
            icon: <DoorOpen className="rtl:-scale-x-100" />,
            onSelect: () => open({ kind: 'join' }),
          },
        ]}
      />
      {dialogs}
    </>
  );
}
