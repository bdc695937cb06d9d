// Plain hinges in blocks of eight: a part of kernels.h, after its vectors and bodies.
//
// The two points are solved together, with a matrix of two by two for each lane. Lever arms follow the rotation of the bodies,
// so that chains and pendulums keep their energy.

typedef struct Arms {
    F8 ax, ay, bx, by;
} Arms;

INLINE Arms turned_arms(const Physics2dHinges *block, const Bodies *a, const Bodies *b) {
    F8 half = all(0.5f), sixth = all(1.0f / 6.0f), one = all(1);
    F8 aa = a->da * a->da, bb = b->da * b->da;
    F8 ca = one - half * aa, sa = a->da * (one - aa * sixth), cb = one - half * bb,
       sb = b->da * (one - bb * sixth);
    F8 ax = load(block->ax), ay = load(block->ay), bx = load(block->bx), by = load(block->by);
    return (Arms){ ca * ax - sa * ay, sa * ax + ca * ay, cb * bx - sb * by, sb * bx + cb * by };
}

INLINE void push_hinge(Bodies *a, Bodies *b, F8 x, F8 y, F8 la, F8 lb) {
    a->vx -= a->inv_mass * x;
    a->vy -= a->inv_mass * y;
    a->w -= a->inv_inertia * la;
    b->vx += b->inv_mass * x;
    b->vy += b->inv_mass * y;
    b->w += b->inv_inertia * lb;
}

INLINE void write_hinge(const Physics2dPass *pass, const Physics2dHinges *block, const Bodies *a,
                        const Bodies *b) {
    scatter_some(pass->states, block->a, block->moves_a, a);
    scatter_some(pass->states, block->b, block->moves_b, b);
}

KERNEL_TARGET static void warm_hinges(const Physics2dPass *pass, Physics2dHinges *blocks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Physics2dHinges *block = &blocks[i];
        Bodies a = gather(pass->states, block->a), b = gather(pass->states, block->b);
        F8 px = load(block->px), py = load(block->py);
        F8 la = load(block->ax) * py - load(block->ay) * px, lb = load(block->bx) * py - load(block->by) * px;
        push_hinge(&a, &b, px, py, la, lb);
        store(block->la, la);
        store(block->lb, lb);
        write_hinge(pass, block, &a, &b);
    }
}

INLINE void solve_hinge_block(const Physics2dPass *pass, Physics2dHinges *block, bool use_bias) {
    Bodies a = gather(pass->states, block->a), b = gather(pass->states, block->b);
    Arms r = turned_arms(block, &a, &b);
    F8 px = load(block->px), py = load(block->py), la = load(block->la), lb = load(block->lb);
    F8 scale = all(pass->soft.mass), soft = all(pass->soft.impulse), rate = all(pass->soft.rate);
    if (use_bias) { // the impulse of the sub-step before was applied with lever arms that have turned since
        F8 turned_a = r.ax * py - r.ay * px, turned_b = r.bx * py - r.by * px;
        a.w -= a.inv_inertia * (turned_a - la);
        b.w += b.inv_inertia * (turned_b - lb);
        la = turned_a;
        lb = turned_b;
    }
    F8 vx = (b.vx - b.w * r.by) - (a.vx - a.w * r.ay), vy = (b.vy + b.w * r.bx) - (a.vy + a.w * r.ax);
    if (use_bias) {
        F8 cx = load(block->dx) + (b.dx - a.dx) + ((r.bx - load(block->bx)) - (r.ax - load(block->ax)));
        F8 cy = load(block->dy) + (b.dy - a.dy) + ((r.by - load(block->by)) - (r.ay - load(block->ay)));
        vx += rate * cx;
        vy += rate * cy;
    }
    F8 mass = a.inv_mass + b.inv_mass;
    F8 kxx = mass + (a.inv_inertia * r.ay * r.ay + b.inv_inertia * r.by * r.by);
    F8 kyy = mass + (a.inv_inertia * r.ax * r.ax + b.inv_inertia * r.bx * r.bx);
    F8 kxy = -(a.inv_inertia * r.ax * r.ay + b.inv_inertia * r.bx * r.by);
    F8 factor = inverse(kxx * kyy - kxy * kxy) * scale;
    F8 x = -(factor * (kyy * vx - kxy * vy)) - soft * px, y = -(factor * (kxx * vy - kxy * vx)) - soft * py;
    F8 da = r.ax * y - r.ay * x, db = r.bx * y - r.by * x;
    push_hinge(&a, &b, x, y, da, db);
    store(block->px, px + x);
    store(block->py, py + y);
    store(block->la, la + da);
    store(block->lb, lb + db);
    write_hinge(pass, block, &a, &b);
}

KERNEL_TARGET static void solve_hinges(const Physics2dPass *pass, Physics2dHinges *blocks, size_t count) {
    if (pass->use_bias)
        for (size_t i = 0; i < count; i++) solve_hinge_block(pass, &blocks[i], true);
    else
        for (size_t i = 0; i < count; i++) solve_hinge_block(pass, &blocks[i], false);
}
