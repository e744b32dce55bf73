import { LogIn, Video } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Create and join, side by side in the sidebar. */
export function MeetingButtons() {
  const { t } = useTranslation();
  const { open, dialogs } = useDialogs();
  const buttons = [
    { kind: 'create', icon: <Video aria-hidden="true" />, label: t('chats.createMeeting') },
    { kind: 'join', icon: <LogIn aria-hidden="true" className="rtl:-scale-x-100" />, label: t('chats.joinMeeting') },
  ] as const;
  return (
    <div className="mx-4 mb-3 flex flex-wrap gap-2">
      {buttons.map(({ kind, icon, label }) => (
        <Button
          key={kind}
          kind="secondary"
          size="small"
          className="min-w-fit grow basis-[calc(50%-4px)] px-1.5! max-lg:[&_svg]:hidden"
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
