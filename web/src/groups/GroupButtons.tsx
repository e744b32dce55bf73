import { Hash, LogIn, Users } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
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

/** In the bar over the list: Create Group where there is a sidebar, the choice of all ways on phones. */
export function NewGroupButton({ entry }: { entry: GroupEntry }) {
  const { t } = useTranslation();
  const { open, dialogs } = useGroupDialogs(entry);
  const mobile = entry === 'mobile';
  return (
    <>
      <IconButton
        label={t(mobile ? 'group.newGroup' : 'group.create')}
        icon={<Users />}
        onClick={() => open({ kind: mobile ? 'choose' : 'group' })}
      />
      {dialogs}
    </>
  );
}

/** Create and join by code, side by side in the sidebar. */
export function GroupButtons() {
  const { t } = useTranslation();
  const { open, dialogs } = useGroupDialogs('desktop');
  const buttons = [
    { kind: 'room', icon: <Hash aria-hidden="true" />, label: t('group.createChat') },
    { kind: 'join', icon: <LogIn aria-hidden="true" className="rtl:-scale-x-100" />, label: t('group.joinChat') },
  ] as const;
  return (
    <div className="-mt-1 mx-4 mb-3 flex flex-wrap gap-2">
      {buttons.map(({ kind, icon, label }) => (
        <Button
          key={kind}
          kind="secondary"
          size="small"
          className="min-w-fit grow basis-[calc(50%-4px)] px-1.5! max-xl:[&_svg]:hidden"
          icon={icon}
          onClick={() => open({ kind })}
        >
          {label}
        </Button>
      ))}
      {dialogs}
    </div>
  );
}
