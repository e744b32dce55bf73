import type { Stage, StageTile } from './meetingStage.ts';

/** Placement of the participants in a recording's picture. */

export interface PlacedTile {
  tile: StageTile;
  x: number;
  y: number;
  width: number;
  height: number;
}

const gap = 12;
/** Share of the width for tiles beside a large one. */
const stripShare = 0.2;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Places equal boxes in an area, with the last row centered. */
function gridOf(tiles: readonly StageTile[], area: Box, columns: number, rows: number): PlacedTile[] {
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

/** Returns the columns that leave boxes of about 16:9 in a picture of that shape. */
function columnsFor(count: number): number {
  return Math.max(1, Math.ceil(Math.sqrt(count)));
}

/** Places the stage in a picture of this size: large tiles with the others beside them, or a grid of all. */
export function placeTiles(stage: Pick<Stage, 'main' | 'others'>, width: number, height: number): PlacedTile[] {
  const whole: Box = { x: gap, y: gap, width: width - 2 * gap, height: height - 2 * gap };
  const [large] = stage.main;
  if (!large) {
    const columns = columnsFor(stage.others.length);
    return gridOf(stage.others, whole, columns, Math.max(1, Math.ceil(stage.others.length / columns)));
  }
  if (stage.others.length === 0) return [{ tile: large, ...whole }];
  const strip = Math.round(whole.width * stripShare);
  const sideStrip: Box = { ...whole, x: whole.x + whole.width - strip, width: strip };
  // Limited to a picture's height. Otherwise, two people beside a screen would be two tall boxes.
  const rows = stage.others.length;
  const high = Math.min((sideStrip.height - gap * (rows - 1)) / rows, (strip * 9) / 16);
  const used = rows * high + (rows - 1) * gap;
  return [
    { tile: large, ...whole, width: whole.width - strip - gap },
    ...gridOf(stage.others, { ...sideStrip, y: sideStrip.y + (sideStrip.height - used) / 2, height: used }, 1, rows),
  ];
}

/** Returns the part of a source that fills a box of another shape without distortion. */
export function cropToBox(
  source: { width: number; height: number },
  box: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const scale = Math.min(source.width / box.width, source.height / box.height);
  const [width, height] = [box.width * scale, box.height * scale];
  return { x: (source.width - width) / 2, y: (source.height - height) / 2, width, height };
}

/** Returns the place of a source that is fully visible in a box. */
export function fitInBox(source: { width: number; height: number }, box: Omit<PlacedTile, 'tile'>): Box {
  const scale = Math.min(box.width / source.width, box.height / source.height);
  const [width, height] = [source.width * scale, source.height * scale];
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}
