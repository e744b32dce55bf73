/** A rectangle in CSS pixels of the window; a DOMRect is one. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The column in which a floating box may stand. */
export interface Column {
  left: number;
  right: number;
  /** The highest place for the upper edge of the box. */
  top: number;
  /** The lower edge of the box stays above this line. */
  bottom: number;
}

const gap = 8;

/**
 * Finds the highest place in a column at which a box covers none of the areas.
 *
 * @returns the upper edge of the box in CSS pixels, and the top of the column where it fits nowhere.
 */
export function clearTop(height: number, column: Column, areas: readonly Area[]): number {
  let top = column.top;
  for (const area of areas.toSorted((one, other) => one.top - other.top)) {
    const isBeside = area.right <= column.left || area.left >= column.right;
    const isAboveOrBelow = area.bottom + gap <= top || area.top >= top + height + gap;
    if (!isBeside && !isAboveOrBelow) top = area.bottom + gap;
  }
  return top + height > column.bottom ? column.top : top;
}
