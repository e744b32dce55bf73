/** Place of messages or status updates in an answer of the API. */
export type ReplyContent =
  'message' | 'messages' | 'stars' | 'changes' | 'conversation' | 'conversations' | 'status' | 'statuses' | 'epoch';

interface Row {
  readonly lastMessage?: object | null;
}

/**
 * Returns the messages or status updates in an answer. Whoever opens the answer replaces their fields in place.
 */
export function contentsOfReply(place: ReplyContent, reply: unknown): object[] {
  switch (place) {
    case 'message':
    case 'status':
      return [reply as object];
    case 'messages':
    case 'statuses':
      return reply as object[];
    case 'stars':
      return (reply as { message: object }[]).map(({ message }) => message);
    case 'changes':
      return (reply as { changes: { message?: object }[] }).changes.flatMap(({ message }) => message ?? []);
    case 'epoch': {
      const { message } = reply as { message?: { held?: boolean } };
      return message && message.held !== true ? [message] : [];
    }
    case 'conversation':
      return [(reply as Row).lastMessage ?? []].flat();
    case 'conversations':
      return (reply as Row[]).flatMap(({ lastMessage }) => lastMessage ?? []);
  }
}
