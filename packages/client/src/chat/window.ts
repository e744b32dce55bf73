import type { Message } from '@nolo/api';
import type { ChatState, TimelineWindow } from './state.ts';
import type { Timeline } from './timeline.ts';

export function hasSeq(messages: readonly Message[], seq: number): boolean {
  const first = messages[0];
  return first !== undefined && seq >= first.seq && seq < first.seq + messages.length;
}

/** Applies a newer state of a message if the window has it. */
export function windowWithMessage(window: TimelineWindow, message: Message): TimelineWindow {
  const index = message.seq - (window.messages[0]?.seq ?? 0);
  const known = window.messages[index];
  if (known?.seq !== message.seq || known.changeSeq >= message.changeSeq) return window;
  return { ...window, messages: window.messages.with(index, message) };
}

export function windowWithOlder(window: TimelineWindow, page: readonly Message[], hasOlder: boolean): TimelineWindow {
  const first = window.messages[0]?.seq ?? 0;
  const older = page.filter(({ seq }) => seq < first);
  return { ...window, messages: [...older, ...window.messages], hasOlder, loadingOlder: false };
}

export function windowWithNewer(window: TimelineWindow, page: readonly Message[]): TimelineWindow {
  const last = window.messages.at(-1)?.seq ?? 0;
  const newer = page.filter(({ seq }) => seq > last);
  return { ...window, messages: [...window.messages, ...newer], loadingNewer: false };
}

/** Returns the timeline with the window prepended, or null while there is a gap between them. */
export function joinWindow(timeline: Timeline, window: TimelineWindow): Timeline | null {
  const first = timeline.messages[0]?.seq;
  const last = window.messages.at(-1)?.seq;
  if (first === undefined || last === undefined || last < first - 1) return null;
  const older = window.messages.filter(({ seq }) => seq < first);
  return {
    ...timeline,
    messages: [...older, ...timeline.messages],
    hasOlder: window.hasOlder,
    loadingOlder: window.loadingOlder,
  };
}

/** Returns the visible timeline: the window if open, without pending messages. */
export function shownTimeline(timeline: Timeline, window: TimelineWindow | undefined): Timeline {
  if (!window) return timeline;
  const { messages, hasOlder, loadingOlder } = window;
  return { ...timeline, messages, hasOlder, loadingOlder, pending: [] };
}

/** Returns from the past to the newest messages. */
export function withoutWindow(state: ChatState, conversationId: string): Partial<ChatState> {
  if (!state.windows[conversationId]) return {};
  const { [conversationId]: _, ...others } = state.windows;
  return { windows: others };
}
