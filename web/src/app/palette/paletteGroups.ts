import type { ReactNode } from 'react';
import type { PaletteEntry } from './model/paletteEntries.ts';
import type { BeginDialog } from '../BeginDialogs.tsx';

/** An entry as the palette draws and runs it. */
export interface PaletteItem extends PaletteEntry {
  icon: ReactNode;
  /** The label as it is drawn, where something in it is marked. */
  shown?: ReactNode;
  /** The keys that do the same without the palette. */
  keys?: readonly string[];
  /** What runs once the palette is closed, or the dialog that takes its place. */
  does: (() => void) | BeginDialog;
}

/**
 * What one source of the palette has found: a hook that is told what was typed. `CommandPalette` lists the sources.
 */
export interface PaletteGroup {
  id: string;
  title: string;
  items: readonly PaletteItem[];
  /** More may come. */
  searching?: boolean;
}
