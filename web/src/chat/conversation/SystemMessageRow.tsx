import type { Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import { formatClockTime, formatExactTime } from '../../i18n/dates.ts';
import { CallMessageRow } from '../calling/CallMessageRow.tsx';
import { summarizeMessage } from '../words/messagePreview.ts';
import { GroupCallMessageRow } from '../groupCalls/GroupCallMessageRow.tsx';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';

/** System message: a call, or a change to the conversation itself. */
export function SystemMessageRow({ message, own }: { message: Message; own: boolean }) {
  const { t, locale, names } = useMessageRowTexts();
  const systemMessage = readSystemMessage(message.content);
  if (systemMessage?.kind === 'call') return <CallMessageRow message={message} own={own} />;
  if (systemMessage?.kind === 'group_call')
    return <GroupCallMessageRow message={message} going={systemMessage.durationSeconds === null} />;
  const at = Date.parse(message.createdAt);
  const text = clipCombiningMarks(summarizeMessage(message, t, names));
  return (
    <div
      data-bubble
      className="mx-auto flex w-fit max-w-full items-baseline justify-center gap-2 px-4 py-0.5 text-13 text-muted"
    >
      {systemMessage?.kind === 'message_pinned' ? (
        <button
          type="button"
          data-quote={systemMessage.seq}
          className="min-w-0 rounded-control text-center wrap-anywhere underline decoration-line-strong underline-offset-2 hover:text-ink"
        >
          {text}
        </button>
      ) : (
        <span dir="auto" className="min-w-0 text-center text-balance wrap-anywhere">
          {text}
        </span>
      )}
      <time dateTime={message.createdAt} title={formatExactTime(at, locale)} className="tabular shrink-0 text-12">
        {formatClockTime(at, locale)}
      </time>
    </div>
  );
}
