/** Rectangle in CSS pixels of the window, such as a DOMRect. */
export interface BoxArea {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Column for a floating box. */
export interface BoxColumn {
  left: number;
  right: number;
  /** Highest position of the box's upper edge. */
  top: number;
  /** Limit for the box's lower edge. */
  bottom: number;
}

const gap = 8;

/**
 * Finds the highest position in a column at which a box covers none of the areas.
 *
 * @returns the upper edge of the box in CSS pixels, or the top of the column if it fits nowhere
 */
export function findClearTop(height: number, column: BoxColumn, areas: readonly BoxArea[]): number {
  let top = column.top;
  for (const area of areas.toSorted((one, other) => one.top - other.top)) {
    const isNextTo = area.right <= column.left || area.left >= column.right;
    const isAboveOrBelow = area.bottom + gap <= top || area.top >= top + height + gap;
    if (!isNextTo && !isAboveOrBelow) top = area.bottom + gap;
  }
  return top + height > column.bottom ? column.top : top;
}
