"""Loops of packages that evaluate and save after so many steps or batches, which a rehearsal does not reach: they do so once,
after its last step."""

from . import steps


def attach_lightning(module):
    """`module` is training_epoch_loop of Lightning, which evaluates after as many batches as a loader says it has, and
    not where it gives fewer: it is let evaluate after the last step. It puts modules back to training without a call."""
    loop = module._TrainingEpochLoop
    check, advance = loop._should_check_val_fx, loop.advance

    def train_on(self, *arguments):
        if steps.counting is not None:
            steps.counting.on_mark("training")
        return advance(self, *arguments)

    def should_evaluate(self, *arguments):
        if check(self, *arguments):
            return True
        return steps.counting is not None and self._should_check_val_epoch() and steps.counting.evaluates_early()

    loop._should_check_val_fx, loop.advance = should_evaluate, train_on


def attach_trainer(module):
    """`module` is trainer_callback of Transformers, whose trainers (and those of TRL) ask after each step what is due."""
    flow = module.DefaultFlowCallback
    ask = flow.on_step_end

    def after_step(self, args, state, control, **named):
        control = ask(self, args, state, control, **named) or control
        evaluates = getattr(args, "eval_strategy", None) or getattr(args, "evaluation_strategy", "no")
        due = {"should_evaluate": evaluates == "steps", "should_save": getattr(args, "save_strategy", "no") == "steps"}
        if steps.counting is not None and any(due.values()) and steps.counting.evaluates_early():
            for what in due:
                setattr(control, what, getattr(control, what) or due[what])
        return control

    flow.on_step_end = after_step
