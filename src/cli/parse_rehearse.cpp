#include "cli/parse_parts.h"

namespace ridgeline::cli {

void add_rehearse(CLI::App& app, RehearseOptions& rehearse, CommonOptions& common) {
    CLI::App* command = app.add_subcommand(
        "rehearse",
        "Your own PyTorch script on a card that is not there: does it fit, and what fills it");
    command->add_option("--on", rehearse.on, "rtx-4090, h100-sxm5-80gb:8, several with commas")
        ->delimiter(',')
        ->required()
        ->type_name("HARDWARE");
    command->add_option("--steps", rehearse.steps, "optimizer steps to rehearse (2)")
        ->type_name("N");
    command
        ->add_option("--max",
                     rehearse.max,
                     "batch=--batch: the largest value of the script's flag that fits")
        ->type_name("NAME=FLAG");
    command
        ->add_option("--limit", rehearse.limit, "seconds that one run of the script may take (900)")
        ->type_name("SECONDS");
    command->add_option("--routing", rehearse.routing, "of tokens to experts: even, or skewed:1.5")
        ->type_name("HOW");
    command->add_option("--scratch", rehearse.scratch, "keep what the script saves in this folder")
        ->type_name("DIR");
    command
        ->add_option("--snapshot",
                     rehearse.snapshot,
                     "write the peak for torch's memory viewer to this file")
        ->type_name("FILE");
    command
        ->add_option(
            "--trace", rehearse.trace, "write the operators of one step to this file (Chakra JSON)")
        ->type_name("FILE");
    command->footer(
        "After the flags: -- and the command as you would type it, -- python train.py --batch 8");
    add_common(command, common);
}

}  // namespace ridgeline::cli
