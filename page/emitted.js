// The plan in the words of other tools, by the program's own writer.
import {flagsOf} from './state.js';
import {make} from './format.js';

const training = ['axolotl', 'llamafactory', 'torchtune', 'accelerate', 'deepspeed', 'torchrun', 'megatron', 'torchtitan', 'watch', 'ddp-checklist'];
const serving = ['vllm', 'sglang', 'llamacpp', 'trtllm', 'watch'];
const around = ['', 'slurm', 'skypilot', 'kubernetes', 'compose'];
const plain = ['watch', 'ddp-checklist'];
const chosen = {inference: 'vllm', train: 'axolotl', around: ''};

/// A choice of tool and job, and the text that it would run.
export async function emitPart({answer, options, ask, files}) {
  const task = answer.workload.task === 'inference' ? 'inference' : 'train';
  const text = make('textarea', {id: 'emitted', readonly: true, class: 'mono', rows: 18, spellcheck: 'false'});
  const note = make('p', {class: 'note', role: 'status'});
  const line = make('p', {class: 'note'});
  const choice = (id, title, words, key) => {
    const select = make('select', {id}, ...words.map(word => make('option', {value: word, selected: word === chosen[key]}, word || 'nothing')));
    select.addEventListener('change', () => { chosen[key] = select.value; write(); });
    return make('div', {class: 'field'}, make('label', {for: id}, title), select);
  };
  const write = async () => {
    const own = {...options, to: chosen[task]};
    if (chosen.around && !plain.includes(own.to)) own.in = chosen.around;
    const told = await ask('emit', own);
    const failed = typeof told.body !== 'string';
    text.value = failed ? '' : told.body;
    text.hidden = failed;
    // What became of the keys of files stands in a part of its own.
    const open = (told.messages ?? '').split('\n').filter(each => each.startsWith('note: ') && !/^note: ( |.* is )/.test(each));
    note.textContent = failed ? `${told.body.error.message}. ${told.body.error.hint ?? ''}` : open.map(each => each.slice(6)).join('; ');
    note.hidden = note.textContent === '';
    line.replaceChildren('On the command line: ', make('code', {}, 'ridgeline emit ' + flagsOf(own) +
      files.map(each => ' --from ' + each.name).join('')));
  };
  await write();
  const copy = make('button', {type: 'button', class: 'plain small'}, 'Copy');
  copy.addEventListener('click', async () => {
    try { await navigator.clipboard.writeText(text.value); } catch { text.select(); document.execCommand('copy'); }
    copy.textContent = 'Copied';
  });
  return [make('div', {class: 'grid'}, choice('emit-to', 'Tool', task === 'inference' ? serving : training, task),
    choice('emit-in', 'Inside a job of', around, 'around')),
  make('div', {class: 'tools'}, make('label', {for: 'emitted'}, 'Its configuration'), copy), text, note, line];
}
