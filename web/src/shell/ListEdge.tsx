import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { clampedWidth, keepListWidth, listWidths, listWidthStore } from './listWidth.ts';

const keyStep = 16;

/** The edge between list and content, which makes the list wider: by hand, or by the arrow keys. */
export function ListEdge({ usual }: { usual: number }) {
  const { t, i18n } = useTranslation();
  const chosen = useStore(listWidthStore, (state) => state.width);
  const begun = useRef<{ x: number; width: number } | null>(null);
  const width = chosen ?? usual;
  const outwards = i18n.dir() === 'rtl' ? -1 : 1;

  const onKeyDown = (event: React.KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: width + outwards * keyStep,
      ArrowLeft: width - outwards * keyStep,
      Home: listWidths.least,
      End: listWidths.most,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    keepListWidth(next);
  };
  return (
    // A separator that can be moved is a control with the name of the pane before it (ARIA Authoring Practices, window splitter).
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('shell.sidebar')}
      aria-valuenow={width}
      aria-valuemin={listWidths.least}
      aria-valuemax={listWidths.most}
      className="absolute inset-y-0 -end-1 z-20 w-2 cursor-col-resize touch-none outline-none after:absolute after:inset-y-0 after:start-[3px] after:w-0.5 after:transition-colors hover:after:bg-line-strong focus-visible:after:bg-accent active:after:bg-accent"
      onKeyDown={onKeyDown}
      onDoubleClick={() => keepListWidth(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const from = begun.current;
        if (from) listWidthStore.setState({ width: clampedWidth(from.width + outwards * (event.clientX - from.x)) });
      }}
      onLostPointerCapture={() => {
        begun.current = null;
        keepListWidth(listWidthStore.getState().width);
      }}
    />
  );
}
