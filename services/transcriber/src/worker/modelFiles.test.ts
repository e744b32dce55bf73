import { detectModelConfig } from './modelFiles.ts';

test.each<[string, string[], object | undefined]>([
  [
    '/models/sherpa-onnx-whisper-tiny.en',
    [
      'tiny.en-encoder.onnx',
      'tiny.en-encoder.int8.onnx',
      'tiny.en-decoder.int8.onnx',
      'tiny.en-tokens.txt',
      'test_wavs',
    ],
    { whisper: { encoder: expect.stringContaining('encoder.int8'), decoder: expect.stringContaining('decoder.int8') } },
  ],
  [
    '/models/sherpa-onnx-zipformer-en',
    ['encoder-epoch-99.onnx', 'decoder-epoch-99.onnx', 'joiner-epoch-99.onnx', 'tokens.txt', 'bpe.model'],
    { transducer: { joiner: expect.stringMatching(/joiner/) } },
  ],
  [
    '/models/sherpa-onnx-nemo-parakeet-tdt',
    ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'],
    { transducer: {}, modelType: 'nemo_transducer' },
  ],
  ['/models/sherpa-onnx-sense-voice-zh-en', ['model.int8.onnx', 'tokens.txt'], { senseVoice: {} }],
  ['/models/sherpa-onnx-paraformer-zh', ['model.onnx', 'tokens.txt'], { paraformer: {} }],
  ['/models/sherpa-onnx-nemo-ctc-en', ['model.onnx', 'tokens.txt'], { nemoCtc: { model: expect.any(String) } }],
  ['/models/sherpa-onnx-zipformer-ctc-zh', ['model.int8.onnx', 'tokens.txt'], { zipformerCtc: {} }],
  [
    '/models/sherpa-onnx-moonshine-tiny-en-int8',
    ['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx', 'tokens.txt'],
    {
      moonshine: {
        encoder: expect.stringMatching(/\/encode\./),
        cachedDecoder: expect.stringMatching(/\/cached_/),
        uncachedDecoder: expect.stringMatching(/\/uncached_/),
      },
    },
  ],
  ['/models/other', ['model.onnx'], undefined],
  ['/models/other', ['tokens.txt', 'README.md'], undefined],
  ['/models/empty', [], undefined],
])('recognizes the model %s', (folder, names, expected) => {
  const model = detectModelConfig(folder, names);
  if (expected === undefined) expect(model).toBeUndefined();
  else expect(model).toMatchObject({ ...expected, tokens: expect.stringMatching(/tokens\.txt$/) });
});
