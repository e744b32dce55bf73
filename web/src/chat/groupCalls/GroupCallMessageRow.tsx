import type { Message } from '@nolo/api';
import { Phone, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useCallUnavailableReason } from '../calling/CallButtons.tsx';
import { requestCall } from '../calling/callRequests.ts';
import { useAreCallsAvailable } from '../calling/useAreCallsAvailable.ts';
import { useChatState } from '../context/chatContext.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { formatClockTime, formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { conversationName } from '../words/conversationName.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { groupTexts } from '../words/groupTexts.ts';

const GroupCallDialog = lazyDialog(async () => (await import('./GroupCallDialog.tsx')).GroupCallDialog);

export interface GroupCallMessageRowProps {
  message: Message;
  /** True if the call is known to be active. */
  going: boolean;
}

/** System message about a group call: who started it, and a button to join while it is active. */
export function GroupCallMessageRow({ message, going }: GroupCallMessageRowProps) {
  const { t } = useTexts(callTexts);
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
        <Phone
          aria-hidden="true"
          className={classNames('size-4 shrink-0', going ? 'text-accent-text' : 'text-muted')}
        />
        <span dir="auto" className="min-w-0 text-center wrap-anywhere">
          {clipCombiningMarks(summarizeMessage(message, t, names))}
        </span>
        <time dateTime={message.createdAt} title={formatExactTime(at, locale)} className="tabular text-12 text-muted">
          {formatClockTime(at, locale)}
        </time>
        {going && <JoinCall groupId={message.conversationId} />}
      </div>
    </div>
  );
}

/** Joins with the microphone in one press, beside the people in the call. */
function JoinCall({ groupId }: { groupId: string }) {
  const { t } = useTexts(groupTexts);
  const group = useChatState((state) => state.conversations[groupId]);
  const exist = useAreCallsAvailable();
  const hindrance = useCallUnavailableReason();
  const [open, setOpen] = useState(false);
  if (!exist || !group) return null;
  return (
    <span className="flex items-center">
      <PlainIconButton
        size="small"
        className="rounded-full!"
        label={t('group:whoInCall')}
        title={t('group:whoInCall')}
        icon={<UsersRound />}
        onClick={() => setOpen(true)}
      />
      <Button
        kind="quiet"
        size="small"
        className="h-7! rounded-full! px-2.5! text-accent-text!"
        disabled={hindrance !== undefined}
        title={hindrance}
        onClick={() => requestCall({ groupId }, 'audio')}
      >
        {t('group:joinCall')}
      </Button>
      {open && <GroupCallDialog id={groupId} name={conversationName(group, t)} onClose={() => setOpen(false)} />}
    </span>
  );
}
