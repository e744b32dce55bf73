// Every test file has modules of its own, which V8 would compile anew for each: it is given what it made of the same text
// before. The worker of jest is where this runs, so it holds for all files that the worker is given.
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { compileFunction, SourceTextModule } = vm;
const compiled = new Map();

/** What was compiled of the text, if it is still the same. */
function known(name, code) {
  const found = compiled.get(name);
  return found?.code === code ? found.data : undefined;
}

if (SourceTextModule !== undefined && !Object.hasOwn(SourceTextModule, 'remembers')) {
  vm.SourceTextModule = class extends SourceTextModule {
    static remembers = true;

    constructor(code, options) {
      const cachedData = known(options.identifier, code);
      super(code, cachedData === undefined ? options : { ...options, cachedData });
      if (cachedData === undefined) compiled.set(options.identifier, { code, data: this.createCachedData() });
    }
  };
  vm.compileFunction = (code, parameters, options) => {
    const cachedData = known(options.filename, code);
    const more = cachedData === undefined ? { produceCachedData: true } : { cachedData };
    const made = compileFunction(code, parameters, { ...options, ...more });
    if (made.cachedData !== undefined) compiled.set(options.filename, { code, data: made.cachedData });
    return made;
  };
}

export default TestEnvironment;
