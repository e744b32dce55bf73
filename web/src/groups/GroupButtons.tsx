import { DoorOpen, Hash, Users } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../ui/ActionTile.tsx';
import { late } from '../ui/late.tsx';
import type { GroupDialog } from './GroupDialogs.tsx';
import type { GroupEntry } from './groupEntry.ts';

/* The dialogs and their words come over the line with the first that is opened. */
const GroupDialogs = late(
  async () => (await import('./GroupDialogs.tsx')).GroupDialogs,
  ({ onChange }) => onChange(null),
);

/** The dialogs about groups for a place that has buttons for them. */
export function useGroupDialogs(entry: GroupEntry): { open: (dialog: GroupDialog) => void; dialogs: ReactNode } {
  const [dialog, setDialog] = useState<GroupDialog | null>(null);
  const dialogs = dialog !== null && <GroupDialogs entry={entry} dialog={dialog} onChange={setDialog} />;
  return { open: setDialog, dialogs };
}

/** Create Group, the first in the sidebar's line of actions. */
export function CreateGroupButton() {
  const { t } = useTranslation();
  const { open, dialogs } = useGroupDialogs('desktop');
  return (
    <>
      <ActionTile
        label={t('group.create')}
        icon={<Users aria-hidden="true" />}
        onClick={() => open({ kind: 'group' })}
      />
      {dialogs}
    </>
  );
}

/** Create and join by code, in the sidebar's line of actions. */
export function GroupButtons() {
  const { t } = useTranslation();
  const { open, dialogs } = useGroupDialogs('desktop');
  const buttons = [
    { kind: 'room', icon: <Hash aria-hidden="true" />, label: t('group.createChat') },
    { kind: 'join', icon: <DoorOpen aria-hidden="true" className="rtl:-scale-x-100" />, label: t('group.joinChat') },
  ] as const;
  return (
    <>
      {buttons.map(({ kind, icon, label }) => (
        <ActionTile key={kind} icon={icon} label={label} onClick={() => open({ kind })} />
      ))}
      {dialogs}
    </>
  );
}
