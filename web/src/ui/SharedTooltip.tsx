import { Tooltip } from 'radix-ui';
import { useEffect, useLayoutEffect, useRef, type HTMLAttributes, type Ref } from 'react';
import type { HoveredTrigger } from './Tooltip.tsx';

/** Tooltip of the element last reached. All share one, so that moving to the next needs no new delay. */
export function SharedTooltip({ trigger, by, label, side }: HoveredTrigger) {
  return (
    <Tooltip.Provider delayDuration={450} skipDelayDuration={250}>
      <Tooltip.Root key={keyOf(trigger)}>
        <Tooltip.Trigger asChild>
          <OnScreen element={trigger} by={by} />
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-64 animate-pop-in rounded-control bg-ink px-2 py-1 text-12 font-medium text-page shadow-raised select-none forced-colors:border"
          >
            {label}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}

const keys = new WeakMap<HTMLElement, number>();
let lastKey = 0;

/** Returns a React key: another element gets another tooltip. */
function keyOf(element: HTMLElement): number {
  const key = keys.get(element) ?? ++lastKey;
  keys.set(element, key);
  return key;
}

const handlerNames = {
  pointermove: 'onPointerMove',
  pointerleave: 'onPointerLeave',
  pointerdown: 'onPointerDown',
  focus: 'onFocus',
  blur: 'onBlur',
  click: 'onClick',
} as const;

type OnScreenProps = HTMLAttributes<HTMLElement> & {
  element: HTMLElement;
  by: HoveredTrigger['by'];
  ref?: Ref<HTMLElement>;
};

/** Renders nothing. Applies Radix's trigger props to the existing element on the screen. */
function OnScreen({ element, by, ref, 'aria-describedby': describedBy, ...rest }: OnScreenProps) {
  const handlers = useRef(rest);
  useLayoutEffect(() => {
    handlers.current = rest;
  });
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  }, [element, ref]);
  useEffect(() => {
    const forwardEvent = (event: Event): void => {
      const handler = handlers.current[handlerNames[event.type as keyof typeof handlerNames]];
      (handler as ((event: Event) => void) | undefined)?.(event);
    };
    const controller = new AbortController();
    for (const type of Object.keys(handlerNames)) element.addEventListener(type, forwardEvent, controller);
    // The element was reached before this code loaded, and may have been left again.
    if (by === 'focus' && element.matches(':focus')) forwardEvent(new FocusEvent('focus'));
    if (by === 'pointer' && element.matches(':hover'))
      forwardEvent(new PointerEvent('pointermove', { pointerType: 'mouse' }));
    return () => controller.abort();
  }, [element, by]);
  useEffect(() => {
    if (describedBy === undefined) return;
    const before = element.getAttribute('aria-describedby');
    element.setAttribute('aria-describedby', before === null ? describedBy : `${before} ${describedBy}`);
    return () => {
      if (before === null) element.removeAttribute('aria-describedby');
      else element.setAttribute('aria-describedby', before);
    };
  }, [element, describedBy]);
  return null;
}
