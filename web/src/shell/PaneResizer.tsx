import { useRef } from 'react';
import { useStore } from 'zustand';
import { classNames } from '../ui/classNames.ts';
import type { PaneWidthSetting } from './paneWidth.ts';
import { useTexts } from '../i18n/texts.ts';

const keyStep = 16;

interface PaneResizerProps {
  pane: PaneWidthSetting;
  name: string;
  defaultWidth: number;
  /** Movable side of the pane. */
  side: 'start' | 'end';
}

/** Edge between a pane and the content, which resizes the pane by dragging or the arrow keys. */
export function PaneResizer({ pane, name, defaultWidth, side }: PaneResizerProps) {
  const { i18n } = useTexts();
  const chosen = useStore(pane.store, (state) => state.width);
  const begun = useRef<{ x: number; width: number } | null>(null);
  const width = pane.clamped(chosen ?? defaultWidth);
  const outwards = (i18n.dir() === 'rtl') === (side === 'end') ? -1 : 1;

  const onKeyDown = (event: React.KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: width + outwards * keyStep,
      ArrowLeft: width - outwards * keyStep,
      Home: pane.minWidth,
      End: pane.maxWidth(),
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    pane.keep(next);
  };
  return (
    // A movable separator is a control with the name of its pane (ARIA Authoring Practices, window splitter).
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={name}
      aria-valuenow={width}
      aria-valuemin={pane.minWidth}
      aria-valuemax={pane.maxWidth()}
      className={classNames(
        side === 'end' ? '-end-1' : '-start-1',
        'absolute inset-y-0 z-20 w-2 cursor-col-resize touch-none outline-none after:absolute after:inset-y-0 after:start-[3px] after:w-0.5 after:transition-colors hover:after:bg-line-strong focus-visible:after:bg-accent active:after:bg-accent',
      )}
      onKeyDown={onKeyDown}
      onDoubleClick={() => pane.keep(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const from = begun.current;
        if (from) pane.store.setState({ width: pane.clamped(from.width + outwards * (event.clientX - from.x)) });
      }}
      onLostPointerCapture={() => {
        begun.current = null;
        pane.keep(pane.store.getState().width);
      }}
    />
  );
}
