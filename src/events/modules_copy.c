// Checking and copying the description of a module.

#include <filo/check.h>

#include "events/modules.h"

#include <string.h>

static bool is_named(const char *name) { return name != NULL && name[0] != '\0'; }

static FiloResult check_links(const FiloModuleDesc *desc) {
    for (size_t i = 0; i < desc->need_count; i++)
        if (is_named(desc->needs[i].module) == is_named(desc->needs[i].interface_name))
            return FILO_MISTAKE("module \"%s\": need %zu names a module or an interface, one of them",
                                desc->name, i);
    for (size_t i = 0; i < desc->provide_count; i++) {
        const FiloModuleProvide *provide = &desc->provides[i];
        if (!is_named(provide->interface_name) || (provide->functions != NULL) == provide->object)
            return FILO_MISTAKE("module \"%s\": interface %zu needs a name and functions, or is an object",
                                desc->name, i);
    }
    return filo_ok();
}

static FiloResult check_contributions(const FiloModuleDesc *desc) {
    for (size_t i = 0; i < desc->contribute_count; i++)
        if (!is_named(desc->contributes[i].type) || desc->contributes[i].items == NULL)
            return FILO_MISTAKE("module \"%s\": contribution %zu needs a type and items", desc->name, i);
    for (size_t i = 0; i < desc->accept_count; i++)
        if (!is_named(desc->accepts[i].type) || desc->accepts[i].add == NULL)
            return FILO_MISTAKE("module \"%s\": what it accepts, number %zu, needs a type and `add`",
                                desc->name, i);
    return filo_ok();
}

// The rest of a flag is checked when the command line is read (filo/args.h).
static FiloResult check_flags(const FiloModuleDesc *desc) {
    for (size_t i = 0; i < desc->flag_count; i++) {
        const FiloFlag *flag = &desc->flags[i];
        if (!is_named(flag->name)) return FILO_MISTAKE("module \"%s\": give flag %zu a name", desc->name, i);
        for (size_t k = 0; k < i; k++)
            if (strcmp(desc->flags[k].name, flag->name) == 0 ||
                (flag->letter != 0 && flag->letter == desc->flags[k].letter))
                return FILO_MISTAKE("module \"%s\": two flags have the name or the letter of --%s",
                                    desc->name, flag->name);
    }
    return filo_ok();
}

FiloResult events_module_desc_check(const FiloModuleDesc *desc) {
    if (desc == NULL || !is_named(desc->name)) return FILO_MISTAKE("give the module a name");
    for (size_t i = 0; i < desc->render_count; i++)
        if (desc->renders[i].render == NULL)
            return FILO_MISTAKE("module \"%s\": render hook %zu needs a function", desc->name, i);
    FiloResult result = check_links(desc);
    if (result.code == FILO_OK) result = check_contributions(desc);
    return result.code == FILO_OK ? check_flags(desc) : result;
}

// ---- Copying --------------------------------------------------------------------------------------------

#define ALIGN _Alignof(max_align_t)

// Takes memory for a list from the block. Without a block, only adds up the size.
static void *take(char *block, size_t *used, size_t count, size_t size) {
    void *list = block != NULL ? block + *used : NULL;
    *used += FILO_ALIGN_UP(count * size, ALIGN);
    return list;
}

// Sets the pointers to the lists, which follow the module in the block. Returns the size of the block.
static size_t lay_out(EventsModule *module, char *block, const FiloModuleDesc *desc) {
    size_t used = FILO_ALIGN_UP(sizeof *module, ALIGN);
    module->needs = take(block, &used, desc->need_count, sizeof *module->needs);
    module->provides = take(block, &used, desc->provide_count, sizeof *module->provides);
    module->renders = take(block, &used, desc->render_count, sizeof *module->renders);
    module->flags = take(block, &used, desc->flag_count, sizeof *module->flags);
    module->contributes = take(block, &used, desc->contribute_count, sizeof *module->contributes);
    module->accepts = take(block, &used, desc->accept_count, sizeof *module->accepts);
    return used;
}

static bool copy_links(EventsModule *module, const FiloModuleDesc *desc) {
    bool all_named = true;
    for (size_t i = 0; i < desc->need_count; i++) {
        const FiloModuleNeed *need = &desc->needs[i];
        bool is_interface = is_named(need->interface_name);
        module->needs[i] = (EventsNeed){ filo_name(is_interface ? need->interface_name : need->module),
                                         need->version, is_interface, need->optional };
        all_named = all_named && module->needs[i].name.id != 0;
    }
    for (size_t i = 0; i < desc->provide_count; i++) {
        const FiloModuleProvide *provide = &desc->provides[i];
        module->provides[i] = (EventsProvide){ filo_name(provide->interface_name), provide->version,
                                               provide->functions, provide->object };
        all_named = all_named && module->provides[i].name.id != 0;
    }
    return all_named;
}

static bool copy_contributions(EventsModule *module, const FiloModuleDesc *desc) {
    bool all_named = true;
    for (size_t i = 0; i < desc->contribute_count; i++) {
        FiloName type = filo_name(desc->contributes[i].type);
        module->contributes[i] = (EventsContribution){ type, desc->contributes[i] };
        module->contributes[i].desc.type = filo_name_text(type);
        all_named = all_named && type.id != 0;
    }
    for (size_t i = 0; i < desc->accept_count; i++) {
        const FiloModuleAccept *accept = &desc->accepts[i];
        module->accepts[i] = (EventsAccept){ filo_name(accept->type), accept->add, accept->remove };
        all_named = all_named && module->accepts[i].type.id != 0;
    }
    return all_named;
}

EventsModule *events_module_copy(FiloModules *modules, const FiloModuleDesc *desc) {
    EventsModule copy = { .name = filo_name(desc->name),
                          .version = desc->version,
                          .desc = *desc,
                          .need_count = desc->need_count,
                          .provide_count = desc->provide_count,
                          .render_count = desc->render_count,
                          .flag_count = desc->flag_count,
                          .contribute_count = desc->contribute_count,
                          .accept_count = desc->accept_count };
    copy.block_size = lay_out(&copy, NULL, desc);
    EventsModule *module = filo_alloc_zero(modules->allocator, copy.block_size, ALIGN);
    if (module == NULL) return NULL;
    *module = copy;
    lay_out(module, (char *)module, desc);
    if (desc->render_count > 0)
        memcpy(module->renders, desc->renders, desc->render_count * sizeof *desc->renders);
    if (desc->flag_count > 0) memcpy(module->flags, desc->flags, desc->flag_count * sizeof *desc->flags);
    bool linked = copy_links(module, desc), contributed = copy_contributions(module, desc);
    if (module->name.id != 0 && linked && contributed) return module;
    events_module_free(modules, module);
    return NULL;
}

void events_module_free(FiloModules *modules, EventsModule *module) {
    filo_free(modules->allocator, module, module->block_size, ALIGN);
}
