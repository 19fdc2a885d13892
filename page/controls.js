// The six controls and what they say in options of the program.
import {flagsOf, optionsOfFlags} from './state.js';
import {make} from './format.js';

const by = id => document.getElementById(id);

const precisions = {
  inference: {option: 'quantization', words: [['', 'as published'], ['none', 'not quantised'], ['fp8', 'fp8'],
    ['awq-int4', '4 bits, AWQ'], ['gptq-int4', '4 bits, GPTQ'], ['nvfp4', '4 bits, NVFP4'], ['mxfp4', '4 bits, MXFP4'],
    ['q8_0', 'GGUF q8_0'], ['q6_k', 'GGUF q6_k'], ['q5_k_m', 'GGUF q5_k_m'], ['q4_k_m', 'GGUF q4_k_m'],
    ['q3_k_m', 'GGUF q3_k_m'], ['q2_k', 'GGUF q2_k']]},
  train: {option: 'weights', words: [['', 'as the framework does'], ['bf16', 'bf16'], ['fp16', 'fp16'], ['fp32', 'fp32']]},
};

/// What a dropped file leaves to itself is as the last answer said.
function kind() {
  const use = by('use').value || by('use').dataset.task;
  return use === 'inference' ? 'inference' : 'train';
}

/// With files the controls may stay empty: then the file says.
export function offerFileWords(offered) {
  const words = by('use').querySelector('option[value=""]');
  words.hidden = words.disabled = !offered;
}

/// Labels and words that follow from what the model is used for.
export function showUse() {
  const serving = kind() === 'inference';
  by('tokens-label').textContent = pixels() ? 'Pixels a side' : serving ? 'Tokens of a prompt' : 'Tokens a sample';
  by('many-label').textContent = pixels() ? 'Images at a time' : serving ? 'Users at a time' : 'Samples at a time';
  const select = by('precision');
  if (select.dataset.kind === kind()) return;
  const before = select.value;
  select.dataset.kind = kind();
  select.replaceChildren(...precisions[kind()].words.map(([value, text]) => make('option', {value}, text)));
  if (precisions[kind()].words.some(([value]) => value === before)) select.value = before;
}

/// Whether the last answer was about pictures, which have a size and no tokens.
const pixels = () => by('use').dataset.pixels === 'yes';

const nameOfTokens = () => pixels() ? 'image-size' : kind() === 'inference' ? 'input-tokens' : 'sequence';
const nameOfMany = () => kind() === 'inference' && !pixels() ? 'concurrency' : 'micro-batch';

/// Another model may have no pixels: what was said of them does not hold for it.
export function forgetPixels() {
  if (!pixels()) return;
  by('use').dataset.pixels = '';
  setNumber('tokens', '');
  showUse();
}

/// What the controls say. Throws what is wrong with the further options.
export function optionsOfControls() {
  const options = {};
  const put = (name, value) => { if (String(value).trim() !== '') options[name] = String(value).trim(); };
  put('model', by('model').value);
  if (by('use').value === 'inference') options.task = 'inference';
  else put('method', by('use').value);
  const hardware = by('hardware').value.trim();
  const count = Number(by('count').value);
  put('on', hardware.includes(':') || !(count > 1) ? hardware : `${hardware}:${count}`);
  put(nameOfTokens(), by('tokens').value);
  put(nameOfMany(), by('many').value);
  put(precisions[kind()].option, by('precision').value);
  return {...options, ...optionsOfFlags(by('further').value)};
}

export function showOptions(options) {
  const rest = {...options};
  const take = name => { const value = rest[name] ?? ''; delete rest[name]; return value; };
  by('model').value = take('model');
  const task = take('task'), method = take('method');
  const asFile = !by('use').querySelector('option[value=""]').hidden;
  by('use').value = task === 'inference' ? 'inference' : ['full', 'lora', 'qlora'].includes(method) ? method
    : task === 'train' ? 'full' : asFile ? '' : 'qlora';
  by('use').dataset.pixels = rest['image-size'] ? 'yes' : '';
  showUse();
  const [, hardware, count] = take('on').match(/^(.*?)(?::(\d+))?$/) ?? ['', '', ''];
  by('hardware').value = hardware;
  by('count').value = count || '1';
  setNumber('tokens', take(nameOfTokens()));
  setNumber('many', take(nameOfMany()));
  const {option, words} = precisions[kind()];
  const precision = rest[option] ?? '';
  const known = words.some(([value]) => value === precision);
  by('precision').value = known ? precision : '';
  if (known) delete rest[option];
  by('further').value = flagsOf(rest);
  if (by('further').value) by('further').closest('details').open = true;
}

/// A number field and its slider, which walks in powers of two.
export function setNumber(id, text) {
  by(id).value = text;
  placeSlider(id);
}

export function placeSlider(id) {
  const value = Number(by(id).value || by(id).placeholder);
  if (value > 0) by(id + '-slide').value = String(Math.round(Math.log2(value)));
  by(id + '-slide').setAttribute('aria-valuetext', by(id).value || `${by(id).placeholder}, chosen by the program`);
}

/// What the program chose where a control is empty.
export function showChosen(workload) {
  const serving = workload.serving;
  const batch = workload.batch ?? {};
  by('use').dataset.task = workload.task;
  by('use').dataset.pixels = batch.image_size ? 'yes' : '';
  showUse();
  const chosen = {tokens: batch.image_size ? batch.image_size : serving ? serving.input_tokens : batch.sequence_length, many: serving ? serving.concurrency : batch.micro};
  for (const [id, value] of Object.entries(chosen)) {
    if (value) by(id).placeholder = String(value);
    if (!by(id).value) placeSlider(id);
  }
  by('tokens-help').textContent = serving ? `and ${serving.output_tokens} tokens of answer` : '';
  by('many-help').textContent = workload.task === 'inference' ? '' : `${batch.global} samples an optimizer step`;
  const precision = workload.precision ?? {};
  by('precision-help').textContent = workload.task === 'inference'
    ? `weights ${precision.quantization !== 'none' ? precision.quantization : precision.weights}, cache ${precision.kv_cache}`
    : `computes in ${precision.compute}, optimizer ${(workload.optimizer ?? {}).name} in ${(workload.optimizer ?? {}).state}`;
}
