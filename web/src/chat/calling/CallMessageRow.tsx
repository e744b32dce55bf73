import type { Message } from '@nolo/api';
import { readCallSystemMessage } from '@nolo/rules';
import { Phone, PhoneIncoming, PhoneMissed, PhoneOutgoing, Video } from 'lucide-react';
import { useStore } from 'zustand';
import { formatClockTime, formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { callRequestStore, requestCall } from './callRequests.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { describeCallOutcome, shouldOfferCallback, isMissedCall } from '../words/callWords.ts';
import { useAreCallsAvailable } from './useAreCallsAvailable.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';

/** System message about a call and its result, with a button to call again. */
export function CallMessageRow({ message, own }: { message: Message; own: boolean }) {
  const { t } = useTexts(callTexts);
  const locale = useLocale();
  const names = usePeopleNames();
  const systemMessage = readCallSystemMessage(message.content);
  // The message was created at the call's end; a call is dated by its beginning, as in the list of calls.
  const calledAt = systemMessage?.calledAt ?? message.createdAt;
  const at = Date.parse(calledAt);
  const missed = systemMessage !== null && isMissedCall(systemMessage, own);
  const video = systemMessage?.callType === 'video';
  const Icon = video ? Video : missed ? PhoneMissed : own ? PhoneOutgoing : systemMessage ? PhoneIncoming : Phone;
  return (
    <div className="flex justify-center">
      <div
        data-bubble
        className="flex max-w-full flex-wrap items-center justify-center gap-x-2.5 gap-y-1 rounded-full border border-line bg-raised py-1 ps-3 pe-1.5 text-13"
      >
        <Icon
          aria-hidden="true"
          className={classNames('size-4 shrink-0', missed ? 'text-danger-text' : 'text-muted rtl:-scale-x-100')}
        />
        <span className={classNames('tabular', missed && 'text-danger-text')}>
          {systemMessage ? describeCallOutcome(systemMessage, own, t) : summarizeMessage(message, t, names)}
        </span>
        <time dateTime={calledAt} title={formatExactTime(at, locale)} className="tabular text-12 text-muted">
          {formatClockTime(at, locale)}
        </time>
        {systemMessage && (
          <CallBackButton
            conversationId={message.conversationId}
            video={video}
            back={shouldOfferCallback(systemMessage, own)}
          />
        )}
      </div>
    </div>
  );
}

function CallBackButton({ conversationId, video, back }: { conversationId: string; video: boolean; back: boolean }) {
  const { t } = useTexts(callTexts);
  const exist = useAreCallsAvailable();
  const busy = useStore(callRequestStore, (state) => state.busy);
  if (!exist) return <span className="w-1" />;
  return (
    <Button
      kind="quiet"
      size="small"
      className="h-7! rounded-full! px-2.5! text-accent-text!"
      disabled={busy}
      onClick={() => requestCall({ conversationId }, video ? 'video' : 'audio')}
    >
      {t(back ? 'call:back' : 'call:again')}
    </Button>
  );
}
