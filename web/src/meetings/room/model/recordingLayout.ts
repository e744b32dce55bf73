import type { Stage, Tile } from './meetingStage.ts';

/** Where everybody stands in the picture of a recording. */

export interface PlacedTile {
  tile: Tile;
  x: number;
  y: number;
  width: number;
  height: number;
}

const gap = 12;
/** Of the width, for those beside a large one. */
const stripShare = 0.2;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** So many boxes of one shape in an area, the last row in the middle. */
function gridOf(tiles: readonly Tile[], area: Box, columns: number, rows: number): PlacedTile[] {
  const width = (area.width - gap * (columns - 1)) / columns;
  const height = (area.height - gap * (rows - 1)) / rows;
  return tiles.map((tile, index) => {
    const row = Math.floor(index / columns);
    const inRow = Math.min(columns, tiles.length - row * columns);
    const indent = ((columns - inRow) * (width + gap)) / 2;
    return {
      tile,
      x: area.x + indent + (index % columns) * (width + gap),
      y: area.y + row * (height + gap),
      width,
      height,
    };
  });
}

/** Columns that leave boxes of about 16:9 in a picture of that shape. */
function columnsFor(count: number): number {
  return Math.max(1, Math.ceil(Math.sqrt(count)));
}

/** The stage in a picture of so many pixels: what is large with the others beside it, or a grid of all. */
export function placeTiles(stage: Pick<Stage, 'main' | 'others'>, width: number, height: number): PlacedTile[] {
  const whole: Box = { x: gap, y: gap, width: width - 2 * gap, height: height - 2 * gap };
  const [large] = stage.main;
  if (!large) {
    const columns = columnsFor(stage.others.length);
    return gridOf(stage.others, whole, columns, Math.max(1, Math.ceil(stage.others.length / columns)));
  }
  if (stage.others.length === 0) return [{ tile: large, ...whole }];
  const strip = Math.round(whole.width * stripShare);
  const beside: Box = { ...whole, x: whole.x + whole.width - strip, width: strip };
  // Never higher than a picture is, or two people beside a screen would be two towers.
  const rows = stage.others.length;
  const high = Math.min((beside.height - gap * (rows - 1)) / rows, (strip * 9) / 16);
  const used = rows * high + (rows - 1) * gap;
  return [
    { tile: large, ...whole, width: whole.width - strip - gap },
    ...gridOf(stage.others, { ...beside, y: beside.y + (beside.height - used) / 2, height: used }, 1, rows),
  ];
}

/** The part of a source that fills a box of another shape without being stretched. */
export function coverOf(
  source: { width: number; height: number },
  box: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const scale = Math.min(source.width / box.width, source.height / box.height);
  const [width, height] = [box.width * scale, box.height * scale];
  return { x: (source.width - width) / 2, y: (source.height - height) / 2, width, height };
}

/** Where a source stands in a box when all of it is to be seen. */
export function containIn(source: { width: number; height: number }, box: Omit<PlacedTile, 'tile'>): Box {
  const scale = Math.min(box.width / source.width, box.height / source.height);
  const [width, height] = [source.width * scale, source.height * scale];
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}
