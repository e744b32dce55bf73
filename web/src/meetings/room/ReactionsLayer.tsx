import { useEffect, useRef } from 'react';
import type { FloatingReaction } from '@nolo/client/rooms/roomState';
import { personName, useRoomState } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

export function ReactionsLayer() {
  const reactions = useRoomState((state) => state.reactions);
  return (
    <div className="pointer-events-none absolute inset-0 z-10 overflow-hidden" data-testid="reactions">
      {reactions.map((reaction) => (
        <Floating key={reaction.id} reaction={reaction} />
      ))}
    </div>
  );
}

function Floating({ reaction: { id, participantId, reaction } }: { reaction: FloatingReaction }) {
  const { t } = useTexts(meetingTexts);
  const person = useRoomState((state) => state.participants[participantId]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const steps = still
      ? [{ opacity: 1 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }]
      : [
          { opacity: 0, transform: 'translateY(0) scale(0.6)' },
          { opacity: 1, transform: 'translateY(-2rem) scale(1)', offset: 0.12 },
          { opacity: 1, transform: 'translateY(-9rem) scale(1)', offset: 0.75 },
          { opacity: 0, transform: 'translateY(-12rem) scale(1)' },
        ];
    box.current?.animate?.(steps, { duration: 4_000, easing: 'ease-out', fill: 'forwards' });
  }, []);
  return (
    <div
      ref={box}
      className="absolute bottom-6 flex flex-col items-center"
      style={{ insetInlineStart: `${6 + ((id * 37) % 40)}%` }}
    >
      <span className="text-32">{reaction}</span>
      <span dir="auto" className="max-w-32 truncate rounded-full bg-overlay px-2 py-0.5 text-12">
        {person && personName(person, t)}
      </span>
    </div>
  );
}
