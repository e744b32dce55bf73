import { LogIn, Video } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../ui/ActionTile.tsx';
import { Button } from '../ui/Button.tsx';
import { late } from '../ui/late.tsx';
import type { MeetingDialog } from './MeetingDialogs.tsx';

/* The dialogs and their words come over the line with the first that is opened. */
const MeetingDialogs = late(
  async () => (await import('./MeetingDialogs.tsx')).MeetingDialogs,
  ({ onChange }) => onChange(null),
);

function useDialogs() {
  const [dialog, setDialog] = useState<MeetingDialog | null>(null);
  const dialogs = dialog !== null && <MeetingDialogs entry="sidebar" dialog={dialog} onChange={setDialog} />;
  return { open: setDialog, dialogs };
}

/** Create and join, in the sidebar's line of actions. */
export function MeetingButtons() {
  const { t } = useTranslation();
  const { open, dialogs } = useDialogs();
  const buttons = [
    { kind: 'create', icon: <Video aria-hidden="true" />, label: t('chats.createMeeting') },
    { kind: 'join', icon: <LogIn aria-hidden="true" className="rtl:-scale-x-100" />, label: t('chats.joinMeeting') },
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

/** On the welcome panel of phones. */
export function CreateMeetingButton() {
  const { t } = useTranslation();
  const { open, dialogs } = useDialogs();
  return (
    <>
      <Button kind="secondary" onClick={() => open({ kind: 'create' })}>
        {t('chats.createMeeting')}
      </Button>
      {dialogs}
    </>
  );
}
