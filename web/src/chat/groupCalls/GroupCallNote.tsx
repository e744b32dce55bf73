import type { Message } from '@nolo/api';
import { Video } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useChatState } from '../context/chatContext.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { can } from '../../device/abilities.ts';
import { clockTime, exactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { late } from '../../ui/late.tsx';
import { conversationName } from '../words/conversationName.ts';
import { messageSummary } from '../words/messagePreview.ts';
import { clipMarks } from '../words/text/clipMarks.ts';

const GroupCallDialog = late(async () => (await import('./GroupCallDialog.tsx')).GroupCallDialog);

export interface GroupCallNoteProps {
  message: Message;
  /** Whether the call goes on, as far as it was told. */
  going: boolean;
}

/** What the server wrote into a group about a call in it: who began it, and the way in while it goes on. */
export function GroupCallNote({ message, going }: GroupCallNoteProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const names = usePeopleNames();
  const at = Date.parse(message.createdAt);
  return (
    <div className="flex justify-center">
      <div
        data-bubble
        className={classNames(
          'flex max-w-full flex-wrap items-center justify-center gap-x-2.5 gap-y-1 rounded-full border border-line bg-raised py-1 ps-3 text-13',
          going ? 'pe-1.5' : 'pe-3',
        )}
      >
        <Video
          aria-hidden="true"
          className={classNames('size-4 shrink-0 rtl:-scale-x-100', going ? 'text-accent-text' : 'text-muted')}
        />
        <span dir="auto" className="min-w-0 text-center wrap-anywhere">
          {clipMarks(messageSummary(message, t, names))}
        </span>
        <time dateTime={message.createdAt} title={exactTime(at, locale)} className="tabular text-12 text-muted">
          {clockTime(at, locale)}
        </time>
        {going && <JoinCall groupId={message.conversationId} />}
      </div>
    </div>
  );
}

function JoinCall({ groupId }: { groupId: string }) {
  const { t } = useTranslation();
  const group = useChatState((state) => state.conversations[groupId]);
  const connected = useChatState((state) => state.connection === 'open');
  const exist = useStore(featureStore, (state) => state.features['meetings'] === true) && can.connect();
  const [open, setOpen] = useState(false);
  if (!exist || !group) return null;
  const name = conversationName(group, t);
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        className="h-7! rounded-full! px-2.5! text-accent-text!"
        disabled={!connected}
        onClick={() => setOpen(true)}
      >
        {t('group.joinCall')}
      </Button>
      {open && <GroupCallDialog id={groupId} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
