import { useEffect, useRef, type PointerEvent } from 'react';

/** Pixels that a swipe must travel to reply. */
const farPixels = 64;
const maxSwipePixels = 84;
/** Pixels within which a swipe may still become a scroll. */
const slackPixels = 12;

interface Swipe {
  pointerId: number;
  x: number;
  y: number;
  bubble: HTMLElement;
  key: string;
  moving: boolean;
  distance: number;
}

/** Starts a reply when the user swipes a message inwards. Only its bubble moves, and it springs back. */
export function useSwipeReply(onReply: (key: string) => void, enabled: boolean) {
  const current = useRef<Swipe>(null);
  const settle = (): Swipe | null => {
    const swipe = current.current;
    current.current = null;
    if (swipe) {
      swipe.bubble.style.translate = '';
      swipe.bubble.style.transition = 'translate 150ms ease-out';
    }
    return swipe;
  };
  useEffect(() => () => void settle(), []);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      settle();
      if (!enabled || event.pointerType !== 'touch' || !event.isPrimary) return;
      const article = (event.target as HTMLElement).closest<HTMLElement>('article[data-key]');
      // A picture in an album moves with the others.
      const bubble =
        article?.querySelector<HTMLElement>('[data-bubble]') ?? article?.closest<HTMLElement>('[data-bubble]');
      // System messages take no reply, and the system owns the edge of the screen.
      if (!article || !bubble || !article.querySelector('[data-menu]')) return;
      if (event.clientX < 24 || event.clientX > innerWidth - 24) return;
      const { pointerId, clientX: x, clientY: y } = event;
      current.current = { pointerId, x, y, bubble, key: article.dataset['key'] ?? '', moving: false, distance: 0 };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const swipe = current.current;
      if (!swipe || event.pointerId !== swipe.pointerId) return;
      const sign = document.documentElement.dir === 'rtl' ? -1 : 1;
      const along = (event.clientX - swipe.x) * sign;
      if (!swipe.moving) {
        if (Math.abs(event.clientY - swipe.y) > slackPixels) return void settle();
        if (along < slackPixels) return;
        swipe.moving = true;
        swipe.bubble.style.transition = 'none';
      }
      swipe.distance = Math.min(Math.max(0, along), maxSwipePixels);
      swipe.bubble.style.translate = `${swipe.distance * sign}px`;
    },
    onPointerUp() {
      const swipe = settle();
      if (swipe && swipe.distance >= farPixels) onReply(swipe.key);
    },
    onPointerCancel: () => void settle(),
  };
}
