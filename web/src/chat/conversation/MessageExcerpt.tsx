import type { Message } from '@nolo/api';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { useMessageExcerpt } from './ReplyQuote.tsx';

/** Author, text and time in two lines: a message in a list of messages. */
export function MessageExcerpt({ message, time, place }: { message: Message; time: string; place?: string }) {
  const nameOf = useDisplayNameOf();
  const excerpt = useMessageExcerpt(message);
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span dir="auto" className="min-w-2/5 flex-1 truncate text-ui-start text-14 font-semibold">
          <bdi>{nameOf(message.senderId)}</bdi>
          {place !== undefined && <span className="font-normal text-muted"> {place}</span>}
        </span>
        <time dateTime={message.createdAt} className="tabular shrink-0 text-12 text-muted">
          {time}
        </time>
      </span>
      <span dir="auto" className="line-clamp-2 text-ui-start text-14 wrap-anywhere text-muted">
        {excerpt}
      </span>
    </>
  );
}
