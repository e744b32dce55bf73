import sharp from 'sharp';

// Decoders that we do not ask for cannot be reached by a crafted file either (SVG, TIFF and the rest).
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});
// Uploads are seen once, so a cache only holds memory; and one picture does not take all cores.
sharp.cache(false);
sharp.concurrency(1);
