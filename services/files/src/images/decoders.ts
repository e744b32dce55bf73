import sharp from 'sharp';

// Disabled decoders cannot be reached by a crafted file (SVG, TIFF and others).
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
// Uploads are processed once, so a cache would only use memory; and one picture must not use all cores.
sharp.cache(false);
sharp.concurrency(1);
